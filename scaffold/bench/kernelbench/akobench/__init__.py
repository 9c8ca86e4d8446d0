# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluator. The parent (cli, session, schedule, report) never imports torch or user code; workers do."""
