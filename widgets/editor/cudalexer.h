// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editor/scintilla.h"

namespace ako {

// C++ with the words of CUDA and HIP, OpenMP pragmas as preprocessor lines.
class CudaLexer : public QsciLexerCPP
{
    Q_OBJECT

public:
    explicit CudaLexer(QObject *parent = nullptr);
    const char *keywords(int set) const override;

private:
    QByteArray m_keywords;
};

} // namespace ako
