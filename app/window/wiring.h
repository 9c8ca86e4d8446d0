// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ako {

class LoopController;
class MainWindow;
class RunStore;

// Connects intents of the window to the controller and facts from the controller to the store and the window.
// All three live on the GUI thread; the caller owns them and destroys the window first.
void connectWindow(MainWindow &window, LoopController &controller, RunStore &store);

} // namespace ako
