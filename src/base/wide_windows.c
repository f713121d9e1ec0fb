// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/wide.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <windows.h>

bool wide_from_text(wchar_t *wide, int size, const char *text)
{
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, size) > 0)
        return true;
    if (GetLastError() == ERROR_NO_UNICODE_TRANSLATION &&
        MultiByteToWideChar(CP_ACP, 0, text, -1, wide, size) > 0)
        return true;
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
    return false;
}

char *wide_to_text(const wchar_t *wide)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *const text = size > 0 ? malloc((size_t)size) : NULL;
    if (text != NULL)
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}
