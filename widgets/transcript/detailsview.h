// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QTextBrowser>

namespace ako {

// All that is known of one iteration in words and a table of its workloads.
class DetailsView : public QTextBrowser
{
    Q_OBJECT

public:
    explicit DetailsView(QWidget *parent = nullptr);
    void showRecord(const IterationRecord *record); // null: says what will stand here
};

QString detailsHtml(const IterationRecord &record);

} // namespace ako
