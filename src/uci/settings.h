// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The values of those UCI options that this folder stores, and the state that belongs to them, such
 * as the hash file that is being saved. The table in options.c has the offsets of the values. The
 * other options change the engine directly. */

#include "base/file.h"
#include "engine/engine.h"
#include "uci/output.h"

/* A hash file that is being written or read. */
typedef struct {
    struct Settings *settings;
    const char *verb; // save, load or verify, for messages
    char path[FILE_PATH_MAX];
    int64_t start_ms, last_message_ms;
    bool has_failed; // the file could not be saved; valid once the save was awaited or ended
} HashFileJob;

/* The file that is loaded and saved by itself. */
typedef struct {
    char path[FILE_PATH_MAX]; // "": none yet
    bool is_readable;         // no attempt to load it has failed
    bool lacks_file;          // a message has said that the option HashFile is empty
    bool has_unsaved;         // a search began since the last save
    int64_t saved_ms;         // clock_ms() of the last save, or of the first search
} AutoHashFile;

typedef struct Settings {
    /* What the options change, and where they print. */
    Engine *engine;
    Output *out;
    bool (*is_stopped)(void *ctx); // true: the current command must end; NULL: never
    void *ctx;                     // for `is_stopped`

    /* Values of options. Those in `job` go to every search: the session copies the job, then fills
     * in the position, the limits and the report function. */
    SearchJob job;
    SyzygyUse syzygy;
    bool verifies_tables; // SyzygyVerify
    LearningOptions learning;
    bool chess960;                 // option UCI_Chess960
    bool shows_wdl, shows_wdl_too; // UCI_ShowWDL; Show WDL, for GUIs that hide UCI_ options
    bool analysing, analysing_too; // UCI_AnalyseMode; Analysis Mode
    bool limits_strength;
    int elo;                       // playing strength if `limits_strength`
    int strength_seed;             // of the random choices of weaker play; 0: game_seed
    char hash_file[FILE_PATH_MAX]; // "": none
    bool hash_file_read_only;
    int hash_file_min_depth;   // least depth of a saved entry, plies
    int64_t hash_file_max_mib; // size limit of a saved file
    bool hash_file_auto;       // load the file at the start, save it by itself
    int hash_file_interval_s;  // of analysis, between two saves

    /* State that goes with these values. */
    uint64_t game_seed;    // a new one for each game
    bool is_weak;          // games are played at UCI_Elo, and the table was emptied for that
    HashFileJob hash_save; // the last save, possibly still running
    AutoHashFile auto_hash_file;
} Settings;

/* Whether the current command must end. */
static inline bool settings_is_stopped(const Settings *settings)
{
    return settings->is_stopped != NULL && settings->is_stopped(settings->ctx);
}

/* Whether one of the two options for analysis is set. */
static inline bool settings_analyse(const Settings *settings)
{
    return settings->analysing || settings->analysing_too;
}

/* Whether games are played at UCI_Elo. */
static inline bool settings_weaken(const Settings *settings)
{
    return settings->limits_strength && !settings_analyse(settings);
}

/* Whether castling in `pos` is written as king takes rook. Without the option, too, a position may
 * have rights that need it: those of `position` stay when the option is switched off. */
static inline bool settings_chess960(const Settings *settings, const Position *pos)
{
    return settings->chess960 || pos_needs_chess960(pos);
}
