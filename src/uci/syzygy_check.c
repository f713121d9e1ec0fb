// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/syzygy_check.h"

#include "base/clock.h"
#include "syzygy/verify.h"

enum { PROGRESS_INTERVAL_MS = 3000 };

typedef struct {
    const Settings *settings;
    const char *who;
    SyzygyCheckCounts *counts;
    int64_t last_message_ms;
} Check;

static void count_file(void *ctx, const SyzygyFile *file, SyzygyVerdict verdict)
{
    Check *const check = ctx;
    SyzygyCheckCounts *const counts = check->counts;
    switch (verdict) {
    case SYZYGY_INTACT: counts->intact++; break;
    case SYZYGY_UNLISTED: counts->unlisted++; break;
    default:
        counts->bad++;
        output_line(check->settings->out, "info string error: %s: %s is %s (in %s)", check->who,
                    file->name, verdict == SYZYGY_ALTERED ? "altered" : "unreadable", file->folder);
    }
    if (clock_ms() - check->last_message_ms < PROGRESS_INTERVAL_MS)
        return;
    check->last_message_ms = clock_ms();
    output_line(check->settings->out, "info string %s: %d files read, the last is %s", check->who,
                counts->intact + counts->bad, file->name);
}

static bool may_continue(void *ctx)
{
    const Check *const check = ctx;
    return !settings_is_stopped(check->settings);
}

SyzygyCheckEnd syzygy_check(const Settings *settings, const char *folders, const char *who,
                            SyzygyCheckCounts *counts, char *error)
{
    *counts = (SyzygyCheckCounts){0};
    Check check = {settings, who, counts, clock_ms()};
    const SyzygyVerifier verifier = {.tell = count_file, .goes_on = may_continue, .ctx = &check};
    if (syzygy_verify(folders, &verifier, error))
        return SYZYGY_CHECK_DONE;
    return *error != '\0' ? SYZYGY_CHECK_IMPOSSIBLE : SYZYGY_CHECK_STOPPED;
}
