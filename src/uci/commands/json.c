// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/json.h"

#include <string.h>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "uci/report.h"

bool json_take_switch(char *arguments)
{
    static const char WORD[] = "--json";
    bool is_found = false;
    for (char *at = arguments; *(at += strspn(at, TEXT_SPACES)) != '\0';) {
        const size_t length = strcspn(at, TEXT_SPACES);
        if (length == strlen(WORD) && memcmp(at, WORD, length) == 0) {
            memset(at, ' ', length);
            is_found = true;
        }
        at += length;
    }
    return is_found;
}

void json_add_score(StrBuf *out, Score score, int material)
{
    if (score == SCORE_NONE)
        strbuf_json_null(out, "cp");
    else if (score_is_mate(score))
        strbuf_json_int(out, "mate", score_mate_moves(score));
    else
        strbuf_json_int(out, "cp", report_centipawns(score, material));
}

void json_add_fen(StrBuf *out, const Position *pos, bool chess960)
{
    char fen[FEN_MAX];
    fen_print(pos, chess960, fen);
    strbuf_json_text(out, "fen", fen);
}

void json_add_move(StrBuf *out, const Position *pos, Move move, bool chess960)
{
    char san[MOVE_TEXT_MAX], uci[MOVE_TEXT_MAX];
    const bool is_move = move != MOVE_NONE;
    if (is_move) {
        move_to_san(pos, move, san);
        move_to_uci(move, chess960 || pos_needs_chess960(pos), uci);
    }
    strbuf_json_text(out, "move", is_move ? san : NULL);
    strbuf_json_text(out, "uci", is_move ? uci : NULL);
}

void json_add_line(StrBuf *out, const Position *pos, const Move *line, int length)
{
    Position at = *pos;
    strbuf_json_name(out, "line");
    strbuf_add(out, "[");
    for (int i = 0; i < length; i++) {
        char san[MOVE_TEXT_MAX];
        move_to_san(&at, line[i], san);
        strbuf_add(out, "%s\"%s\"", i > 0 ? "," : "", san);
        pos_advance(&at, line[i]);
    }
    strbuf_add(out, "]");
}
