// SPDX-License-Identifier: GPL-3.0-or-later
/* The commands `why` and `threat`: short searches that explain a move and a position. */
#include "uci/commands/why.h"

#include <string.h>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "uci/commands/json.h"
#include "uci/commands/run.h"
#include "uci/go.h"

enum {
    DEFAULT_MS = 330,   // of each search; `why` makes three
    CLEARLY_WORSE = 50, // centipawns
    TABLE_ROWS = 10
};

/* What a search has found. */
typedef struct {
    int depth; // 0: nothing
    Score score;
    Score scores[MAX_DEPTH + 1]; // by depth; SCORE_NONE: no exact score
    Move pv[MAX_PLY + 1];
    int pv_length;
} Study;

static void record(void *ctx, const Report *report)
{
    Study *const study = ctx;
    if (report->kind != REPORT_LINE || report->pv_length == 0 || report->bound != BOUND_EXACT)
        return;
    study->depth = report->depth < MAX_DEPTH ? report->depth : MAX_DEPTH;
    study->score = study->scores[study->depth] = report->score;
    study->pv_length = report->pv_length;
    memcpy(study->pv, report->pv, (size_t)report->pv_length * sizeof *report->pv);
}

static bool is_stopped(void *session)
{
    return session_ends_task(session);
}

/* Searches the last position of `path`, only the moves of `limits`, at full strength; waits for the
 * end. False when `stop` came first. */
static bool study_run(Study *study, Session *session, const Position *pos, const Path *path,
                      const Limits *limits)
{
    SearchJob job = session->settings.job;
    *study = (Study){.depth = 0};
    for (int depth = 0; depth <= MAX_DEPTH; depth++)
        study->scores[depth] = SCORE_NONE;
    job.root = *pos;
    job.path = *path;
    job.limits = *limits;
    job.multi_pv = 1;
    job.strength = (Strength){0};
    job.report = record;
    job.ctx = study;
    return !session_ends_task(session) &&
           engine_search(session->engine, &job, is_stopped, session) && study->depth > 0;
}

/* Allows all moves of `pos` except `excluded`. The list also keeps the search out of position
 * learning, which ignores searches of some moves. */
static void allow_others(Limits *limits, const Position *pos, Move excluded)
{
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    limits->has_search_moves = true;
    limits->search_move_count = 0;
    for (int i = 0; i < count; i++)
        if (moves[i] != excluded)
            limits->search_moves[limits->search_move_count++] = moves[i];
}

/* Reads the limits of each search; false when they are of a kind that is not allowed. */
static bool read_limits(Session *session, const char *command, char *arguments, Limits *limits)
{
    char error[FEN_ERROR_MAX] = "the limits are depth, nodes and movetime";
    if (*text_trim(arguments) == '\0') {
        *limits = (Limits){.has_move_time = true, .move_ms = DEFAULT_MS};
        return true;
    }
    if (go_parse_limits(limits, arguments, error, sizeof error) && !limits->infinite &&
        !limits->ponder && !limits->has_clock && limits->mate == 0 && !limits->has_search_moves)
        return true;
    session_fail(session, "%s: %s", command, error);
    return false;
}

static void add_moves(StrBuf *buf, const Session *session, const Move *moves, int count)
{
    const bool chess960 = settings_chess960(&session->settings, &session->setup.pos);
    for (int i = 0; i < count; i++) {
        char text[MOVE_TEXT_MAX];
        move_to_uci(moves[i], chess960, text);
        strbuf_add(buf, " %s", text);
    }
    strbuf_add(buf, "\n");
}

/* Appends the score, and the depth unless the score is a mate. */
static void add_score(StrBuf *buf, const Session *session, const Study *study)
{
    char score[REPORT_SCORE_MAX];
    report_score(study->score, pos_material(&session->setup.pos), score);
    strbuf_add(buf, "%s", score);
    if (!score_is_mate(study->score))
        strbuf_add(buf, " at depth %d", study->depth);
}

/* -- threat ------------------------------------------------------------------------------------ */

/* Whether the game ends in `pos` by mate, stalemate or too little material. */
static bool is_over(const Position *pos)
{
    return !gen_any(pos) || pos_insufficient_material(pos);
}

/* Searches `pos`, where the side to move passes. False, with the reason in `*error`, when it cannot
 * pass or the other side has no move; false and NULL when `stop` came first. */
static bool study_threat(Study *study, Session *session, const Position *pos, const Limits *limits,
                         const char **error)
{
    Position passed;
    Path path;
    Limits allowed = *limits;
    *error = "the game is over";
    if (is_over(pos))
        return false;
    *error = "the side to move is in check and cannot pass";
    if (pos_in_check(pos))
        return false;
    pos_play_null(&passed, pos);
    path_start(&path, &passed);
    allow_others(&allowed, &passed, MOVE_NONE);
    *error = "after a pass the other side has no legal move";
    if (allowed.search_move_count == 0)
        return false;
    *error = NULL;
    return study_run(study, session, &passed, &path, &allowed);
}

static void add_threat(StrBuf *buf, const Session *session, const Study *study, Color side)
{
    const char *const name = side == WHITE ? "White" : "Black";
    const bool is_mated = score_is_mate(study->score) && study->score < 0;
    strbuf_add(buf, is_mated ? "Threat: none, even after a pass %s has " : "Threat: for %s ", name);
    add_score(buf, session, study);
    strbuf_add(buf, ", line");
    add_moves(buf, session, study->pv, study->pv_length);
}

/* Appends the score, the depth and the line of a search of `root`; the centipawns are those of the
 * session's position, as in the text. */
static void add_study_members(StrBuf *buf, const Session *session, const Position *root,
                              const Study *study)
{
    json_add_score(buf, study->score, pos_material(&session->setup.pos));
    strbuf_json_int(buf, "depth", study->depth);
    json_add_line(buf, root, study->pv, study->pv_length);
}

/* Appends the members of a threat; `pos` is the position whose side to move passed. */
static void add_threat_members(StrBuf *buf, const Session *session, const Position *pos,
                               const Study *study)
{
    Position passed;
    pos_play_null(&passed, pos);
    strbuf_json_text(buf, "side", passed.side == WHITE ? "white" : "black");
    add_study_members(buf, session, &passed, study);
}

void run_threat(Session *session, char *arguments)
{
    const Position *const pos = &session->setup.pos;
    const bool is_json = json_take_switch(arguments);
    Study study;
    Limits limits;
    StrBuf buf = {0};
    const char *error;
    if (!read_limits(session, "threat", arguments, &limits))
        return;
    session_begin_analysis(session);
    if (!study_threat(&study, session, pos, &limits, &error)) {
        if (error != NULL)
            session_fail(session, "threat: %s", error);
        else
            output_line(&session->out, "info string threat was stopped");
        return;
    }
    if (is_json) {
        strbuf_add(&buf, "{");
        json_add_fen(&buf, pos, session->settings.chess960);
        add_threat_members(&buf, session, pos, &study);
        strbuf_add(&buf, "}\n");
    } else {
        add_threat(&buf, session, &study, !pos->side);
    }
    output_block(&session->out, &buf);
}

/* -- why --------------------------------------------------------------------------------------- */

/* Two searches of one position to the same depth, and one of the position after the move. */
typedef struct {
    Move named;
    Study move, others; // the named move; all others, with a depth of 0 if there are none
    Position after;     // the named move
    Study threat;       // of the side that has played it; depth 0: none
    bool gives_check;
} MoveComparison;

/* Whether the named move is at least as good as all others. */
static bool is_best(const MoveComparison *both)
{
    return both->others.depth == 0 || both->move.score >= both->others.score;
}

int why_centipawns_lost(Score best, Score score, int material)
{
    return report_centipawns(best, material) - report_centipawns(score, material);
}

/* Appends the score of a search, by how much it is below `best`, and its line. */
static void add_line(StrBuf *buf, const Session *session, const char *name, const Study *study,
                     Score best)
{
    strbuf_add(buf, "%s: ", name);
    add_score(buf, session, study);
    if (!score_is_proven(study->score) && !score_is_proven(best)) {
        const int lost = why_centipawns_lost(best, study->score, pos_material(&session->setup.pos));
        if (lost > 0)
            strbuf_add(buf, ", %d less than the best", lost);
    }
    strbuf_add(buf, ", line");
    add_moves(buf, session, study->pv, study->pv_length);
}

/* Writes the keys of the positions along a line to `keys` (MAX_PLY + 1). */
static void list_keys(const Position *root, WhyLine line, Key *keys)
{
    Position pos = *root;
    for (int i = 0; i < line.count; i++) {
        pos_advance(&pos, line.moves[i]);
        keys[i] = pos.key;
    }
}

int why_meeting(const Position *root, WhyLine a, WhyLine b)
{
    Key keys[2][MAX_PLY + 1];
    list_keys(root, a, keys[0]);
    list_keys(root, b, keys[1]);
    for (int i = 0; i < a.count; i++)
        for (int j = 0; j < b.count; j++)
            if (keys[0][i] == keys[1][j])
                return i + 1;
    return 0;
}

/* Plies after which the lines of the two searches meet again; 0: they do not. */
static int meeting_of(const Position *root, const MoveComparison *both)
{
    return why_meeting(root, (WhyLine){both->move.pv, both->move.pv_length},
                       (WhyLine){both->others.pv, both->others.pv_length});
}

/* Appends whether the two lines, which differ from the first move on, reach the same position. */
static void add_meeting(StrBuf *buf, const Position *root, const MoveComparison *both)
{
    const int plies = meeting_of(root, both);
    if (plies > 0)
        strbuf_add(buf, "Lines: they part at the first move and meet again after %d plies\n",
                   plies);
    else
        strbuf_add(buf, "Lines: they part at the first move and do not meet again\n");
}

/* The depth that both searches have reached. */
static int common_depth(const MoveComparison *both)
{
    return both->move.depth < both->others.depth ? both->move.depth : both->others.depth;
}

/* Whether both searches have a score at this depth. */
static bool has_scores(const MoveComparison *both, int depth)
{
    return both->move.scores[depth] != SCORE_NONE && both->others.scores[depth] != SCORE_NONE;
}

/* The depth from which on the move is clearly worse; 0: there is none. */
static int worse_from_of(const Session *session, const MoveComparison *both)
{
    const int material = pos_material(&session->setup.pos);
    int worse_from = 0;
    for (int d = 1; d <= common_depth(both); d++) {
        if (!has_scores(both, d))
            continue;
        const bool is_worse = why_centipawns_lost(both->others.scores[d], both->move.scores[d],
                                                  material) >= CLEARLY_WORSE;
        worse_from = !is_worse ? 0 : worse_from == 0 ? d : worse_from;
    }
    return worse_from;
}

/* Appends the scores by depth, and from which depth on the move is clearly worse. */
static void add_table(StrBuf *buf, const Session *session, const MoveComparison *both)
{
    const int material = pos_material(&session->setup.pos);
    const int depth = common_depth(both), worse_from = worse_from_of(session, both);
    const int step = (depth + TABLE_ROWS - 1) / TABLE_ROWS;
    strbuf_add(buf, "Depth  move          others\n");
    for (int d = 1; d <= depth; d++) {
        const Score score = both->move.scores[d], other = both->others.scores[d];
        char text[2][REPORT_SCORE_MAX];
        if (!has_scores(both, d))
            continue;
        report_score(score, material, text[0]);
        report_score(other, material, text[1]);
        if ((depth - d) % step == 0)
            strbuf_add(buf, "%5d  %-12s  %s\n", d, text[0], text[1]);
    }
    if (worse_from > 0)
        strbuf_add(buf, "Clearly worse from depth %d on\n", worse_from);
}

/* Searches what the side that has played the move threatens, if the opponent can pass. */
static void find_threat(MoveComparison *both, Session *session, const Limits *limits)
{
    const char *unused;
    pos_play(&both->after, &session->setup.pos, both->named);
    both->threat.depth = 0;
    both->gives_check = pos_in_check(&both->after);
    if (!study_threat(&both->threat, session, &both->after, limits, &unused))
        both->threat.depth = 0;
}

/* Searches the other moves, then the move to the same depth, then the threat. False after `stop`;
 * `others` stays empty when there is only one legal move. */
static bool compare(MoveComparison *both, Session *session, Move move, const Limits *limits)
{
    const Setup *const setup = &session->setup;
    Limits some = *limits;
    both->named = move;
    both->others.depth = 0;
    allow_others(&some, &setup->pos, move);
    if (some.search_move_count > 0) {
        if (!study_run(&both->others, session, &setup->pos, &setup->path, &some))
            return false;
        some.depth = both->others.depth;
    }
    some.search_move_count = 1;
    some.search_moves[0] = move;
    if (!study_run(&both->move, session, &setup->pos, &setup->path, &some))
        return false;
    find_threat(both, session, limits);
    return !session_ends_task(session);
}

/* Appends the comparison as text. */
static void add_text(StrBuf *buf, const Session *session, const MoveComparison *both)
{
    const Position *const root = &session->setup.pos;
    const bool has_others = both->others.depth > 0;
    const Score best = is_best(both) ? both->move.score : both->others.score;
    strbuf_add(buf, !has_others     ? "The only legal move\n"
                    : is_best(both) ? "The best move found\n"
                                    : "Not the best move\n");
    add_line(buf, session, "Move", &both->move, best);
    if (has_others)
        add_line(buf, session, is_best(both) ? "Next" : "Best", &both->others, best);
    if (both->threat.depth > 0)
        add_threat(buf, session, &both->threat, root->side);
    else if (both->gives_check && !is_over(&both->after))
        strbuf_add(buf, "Threat: the move gives check\n");
    if (has_others) {
        add_meeting(buf, root, both);
        add_table(buf, session, both);
    }
}

/* Appends the member `name`: an object with the members of the search. */
static void add_study_object(StrBuf *buf, const Session *session, const char *name,
                             const Study *study)
{
    strbuf_json_name(buf, name);
    strbuf_add(buf, "{");
    add_study_members(buf, session, &session->setup.pos, study);
    strbuf_add(buf, "}");
}

/* Appends a number as the member `name`, or null for 0. */
static void add_number_or_null(StrBuf *buf, const char *name, int number)
{
    if (number != 0)
        strbuf_json_int(buf, name, number);
    else
        strbuf_json_null(buf, name);
}

/* Appends the scores of all depths that both searches have finished. */
static void add_scores_object(StrBuf *buf, const Session *session, const MoveComparison *both)
{
    const int material = pos_material(&session->setup.pos);
    const char *comma = "";
    strbuf_json_name(buf, "scores");
    strbuf_add(buf, "[");
    for (int d = 1; both->others.depth > 0 && d <= common_depth(both); d++) {
        if (!has_scores(both, d))
            continue;
        strbuf_add(buf, "%s{\"depth\":%d,\"played\":{", comma, d);
        json_add_score(buf, both->move.scores[d], material);
        strbuf_add(buf, "},\"others\":{");
        json_add_score(buf, both->others.scores[d], material);
        strbuf_add(buf, "}}");
        comma = ",";
    }
    strbuf_add(buf, "]");
}

/* Appends the comparison as one object. */
static void add_object(StrBuf *buf, const Session *session, const MoveComparison *both)
{
    const Position *const root = &session->setup.pos;
    const bool has_others = both->others.depth > 0, chess960 = session->settings.chess960;
    strbuf_add(buf, "{");
    json_add_fen(buf, root, chess960);
    json_add_move(buf, root, both->named, chess960);
    strbuf_json_text(buf, "verdict", !has_others ? "only" : is_best(both) ? "best" : "worse");
    add_study_object(buf, session, "played", &both->move);
    if (has_others)
        add_study_object(buf, session, "others", &both->others);
    else
        strbuf_json_null(buf, "others");
    strbuf_json_bool(buf, "check", both->gives_check);
    strbuf_json_name(buf, "threat");
    if (both->threat.depth > 0) {
        strbuf_add(buf, "{");
        add_threat_members(buf, session, &both->after, &both->threat);
        strbuf_add(buf, "}");
    } else {
        strbuf_add(buf, "null");
    }
    add_number_or_null(buf, "meet", has_others ? meeting_of(root, both) : 0);
    add_number_or_null(buf, "worse_from", has_others ? worse_from_of(session, both) : 0);
    add_scores_object(buf, session, both);
    strbuf_add(buf, "}\n");
}

static void explain(Session *session, Move move, const Limits *limits, bool is_json)
{
    MoveComparison both;
    StrBuf buf = {0};
    if (!compare(&both, session, move, limits)) {
        output_line(&session->out, "info string why was stopped");
        return;
    }
    (is_json ? add_object : add_text)(&buf, session, &both);
    output_block(&session->out, &buf);
}

void run_why(Session *session, char *arguments)
{
    const bool is_json = json_take_switch(arguments);
    char *cursor = arguments;
    const char *const text = text_word(&cursor);
    Limits limits;
    if (text == NULL) {
        session_fail(session, "why: needs a move");
        return;
    }
    const Move move = move_from_text(&session->setup.pos, text);
    if (move == MOVE_NONE)
        session_fail(session, "why: illegal or ambiguous move %.*s", text_cut(text, 40), text);
    else if (read_limits(session, "why", cursor, &limits)) {
        session_begin_analysis(session);
        explain(session, move, &limits, is_json);
    }
}
