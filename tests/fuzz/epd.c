// SPDX-License-Identifier: GPL-3.0-or-later
/* EPD files with the goals of test suites. Input: a file of EPD lines. */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "chess/epdgoal.h"
#include "chess/fen.h"
#include "chess/movegen.h"

static bool has_move(const Position *pos, Move move)
{
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    return moves_contain(moves, count, move);
}

static void check_goal(const EpdRecord *record)
{
    EpdGoal goal;
    char error[FEN_ERROR_MAX];
    const int status = epd_goal_read(&goal, record, error);
    if (status < 0)
        assert(memchr(error, '\0', sizeof error) != NULL);
    if (status <= 0)
        return;
    for (int i = 0; i < goal.best.count; i++) {
        assert(has_move(&record->pos, goal.best.moves[i]));
        epd_goal_is_met(&goal, goal.best.moves[i], goal.mate);
    }
    for (int i = 0; i < goal.scored.count; i++)
        assert(epd_goal_points(&goal, goal.scored.moves[i]) <= goal.points_max);
}

void fuzz_epd(const uint8_t *bytes, size_t size)
{
    EpdRecord record;
    char error[FEN_ERROR_MAX], operand[32];
    int status = 1;
    for (int chess960 = 0; chess960 < 2; chess960++) {
        FILE *const file = fopen(fuzz_file(bytes, size), "rb");
        assert(file != NULL);
        while ((status = epd_next(file, &record, chess960, error)) != 0) {
            if (status < 0)
                continue; // the next line may be good
            assert(strlen(record.operations) < EPD_TEXT_MAX && pos_check(&record.pos) == NULL);
            check_goal(&record);
            if (epd_operand(&record, "id", operand, sizeof operand))
                assert(strlen(operand) < sizeof operand);
        }
        fclose(file);
    }
}

void seed_epd(void)
{
    static const char *const TEXTS[] = {
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";\n",
        "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - am Rxb2 h5; c0 \"a comment; with a mark\";\r\n",
        "7k/8/6K1/8/8/8/8/5R2 w - - dm 1; hmvc 12; fmvn 40;\n",
        ("r1bqk1r1/1p1p1n2/p1n2pN1/2p1b2Q/2P1Pp2/1PN5/PB4PP/R4RK1 w q - - bm Rxf4;"
         " c0 \"Rxf4=10, a3=3\"; c7 \"a3 b4\"; c8 \"10 3\"; c9 \"f1f4 a2a3\";\n"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n# comment\n\n",
        "k7/P7/8/8/8/8/1P6/K7 w - - c0 \"b4=1,b8=Q=2\"; dm -3;",
    };
    char line[EPD_TEXT_MAX + 8];
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        fuzz_seed_text(TEXTS[i]);
    for (int more = -3; more < 3; more++) { // lines about as long as the buffer
        const int length = EPD_TEXT_MAX + more;
        memset(line, ' ', sizeof line);
        memcpy(line, "7k/8/6K1/8/8/8/8/5R2 w - - id", 29);
        memcpy(line + length - 3, "r;\n", 3);
        fuzz_seed(line, (size_t)length);
        memcpy(line + length - 3, ";\r\n", 3);
        fuzz_seed(line, (size_t)length);
    }
}
