// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/fen.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
    FIELD_PLACEMENT,
    FIELD_SIDE,
    FIELD_CASTLING,
    FIELD_EP,
    FIELD_RULE50,
    FIELD_FULLMOVE,
    FIELD_NB
};

static const char PIECE_LETTERS[] = "PpNnBbRrQqKk"; // by Piece
static const char RIGHT_LETTERS[] = "KQkq";         // by bit number of the right

typedef struct {
    const char *text; // not terminated
    size_t length;
} Field;

typedef struct {
    Position pos;
    Field fields[FIELD_NB]; // length 0 where missing
    bool chess960;
    char *error;
} Parser;

/* Writes the reason to `error` and returns false. */
__attribute__((format(printf, 2, 3))) static bool refuse(Parser *parser, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(parser->error, FEN_ERROR_MAX, format, args);
    va_end(args);
    return false;
}

/* Appends a note about a repair to `error`; what does not fit is cut off. */
__attribute__((format(printf, 2, 3))) static void note(Parser *parser, const char *format, ...)
{
    size_t used = strlen(parser->error);
    if (used > 0 && used + 2 < FEN_ERROR_MAX) {
        snprintf(parser->error + used, FEN_ERROR_MAX - used, "; ");
        used += 2;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(parser->error + used, FEN_ERROR_MAX - used, format, args);
    va_end(args);
}

/* Replaces all but printable ASCII by '?', because control bytes must not reach a GUI. */
static char printable(char c)
{
    return c > ' ' && c <= '~' ? c : '?';
}

static bool split_fields(Parser *parser, const char *text)
{
    for (int count = 0;; count++) {
        while (text_is_blank(*text))
            text++;
        if (*text == '\0')
            return count > FIELD_SIDE ||
                   refuse(parser, "a FEN needs a placement and a side to move");
        if (count == FIELD_NB)
            return refuse(parser, "a FEN has at most six fields");
        parser->fields[count].text = text;
        while (*text != '\0' && !text_is_blank(*text))
            text++;
        parser->fields[count].length = (size_t)(text - parser->fields[count].text);
    }
}

static bool is_dash(Field field)
{
    return field.length == 0 || (field.length == 1 && field.text[0] == '-');
}

static bool parse_placement(Parser *parser)
{
    const Field field = parser->fields[FIELD_PLACEMENT];
    int rank = 7, file = 0;
    for (size_t i = 0; i < field.length; i++) {
        const char c = field.text[i];
        const char *letter = strchr(PIECE_LETTERS, c);
        if (c == '/') {
            if (file != 8)
                return refuse(parser, "rank %d has %d squares", rank + 1, file);
            if (rank == 0)
                return refuse(parser, "the placement has more than eight ranks");
            rank--;
            file = 0;
        } else if (c >= '1' && c <= '8') {
            file += c - '0';
        } else if (letter != NULL) {
            if (file < 8)
                pos_put(&parser->pos, (Piece)(letter - PIECE_LETTERS), square_make(file, rank));
            file++;
        } else {
            return refuse(parser, "'%c' in the placement is not a piece", printable(c));
        }
        if (file > 8)
            return refuse(parser, "rank %d has more than eight squares", rank + 1);
    }
    if (rank != 0 || file != 8)
        return refuse(parser, "the placement ends on rank %d after %d squares", rank + 1, file);
    return true;
}

static bool parse_side(Parser *parser)
{
    const Field field = parser->fields[FIELD_SIDE];
    if (field.length != 1 || (field.text[0] != 'w' && field.text[0] != 'b'))
        return refuse(parser, "the side to move is neither w nor b");
    parser->pos.side = field.text[0] == 'w' ? WHITE : BLACK;
    return true;
}

/* Checks kings, pawns, the number of men, and that the side not to move is not in check. At most 16
 * men a side guarantee that move lists of MAX_MOVES suffice, here and in all positions that follow.
 * They need not be men of a game: people set up fifteen queens against an army of knights. */
static bool check_men(Parser *parser)
{
    const Position *pos = &parser->pos;
    if (pos->by_type[PAWN] & (BB_RANK_1 | BB_RANK_8))
        return refuse(parser, "a pawn stands on a back rank");
    for (Color c = WHITE; c <= BLACK; c++) {
        const char *name = c == WHITE ? "White" : "Black";
        const int kings = popcount(pos_pieces(pos, c, KING));
        if (kings != 1)
            return refuse(parser, "%s has %d kings", name, kings);
        if (popcount(pos->by_color[c]) > 16)
            return refuse(parser, "%s has more than 16 men", name);
        if (popcount(pos_pieces(pos, c, PAWN)) > 8)
            return refuse(parser, "%s has more than 8 pawns", name);
    }
    const Color them = pos->side ^ 1;
    if (pos_is_attacked(pos, pos_king(pos, them), pos->side, pos_occupied(pos)))
        return refuse(parser, "%s is in check, but not to move", them == WHITE ? "White" : "Black");
    return true;
}

/* Square of the rook that a castling letter means; SQ_NONE when no such rook can castle. */
static Square castling_rook_of(const Position *pos, Color c, char upper, bool chess960)
{
    const Square king = pos_king(pos, c);
    const Bitboard rooks = pos_pieces(pos, c, ROOK) & bb_relative_rank(c, 0);
    if (relative_rank(c, king) != 0)
        return SQ_NONE;
    if (!chess960) {
        const bool short_side = upper == 'K' || upper == 'H';
        const Square rook = relative_square(c, short_side ? H1 : A1);
        const bool is_corner = short_side || upper == 'Q' || upper == 'A';
        return is_corner && relative_square(c, king) == E1 && bb_has(rooks, rook) ? rook : SQ_NONE;
    }
    if (upper == 'K' || upper == 'Q') {
        /* Has all higher squares; `rooks` has only the king's rank. */
        const Bitboard east = ~(bb_of(king) | (bb_of(king) - 1));
        const Bitboard wing = rooks & (upper == 'K' ? east : ~east);
        if (wing == 0)
            return SQ_NONE;
        return upper == 'K' ? msb(wing) : lsb(wing);
    }
    const Square rook = square_make(upper - 'A', rank_of(king));
    return bb_has(rooks, rook) ? rook : SQ_NONE;
}

static bool parse_castling(Parser *parser)
{
    const Field field = parser->fields[FIELD_CASTLING];
    Position *pos = &parser->pos;
    if (is_dash(field))
        return true;
    for (size_t i = 0; i < field.length; i++) {
        const char letter = field.text[i];
        const Color c = letter >= 'A' && letter <= 'Z' ? WHITE : BLACK;
        const char upper = c == WHITE ? letter : (char)(letter - 'a' + 'A');
        if (upper != 'K' && upper != 'Q' && (upper < 'A' || upper > 'H'))
            return refuse(parser, "'%c' in the castling field is not a castling right",
                          printable(letter));
        if (i >= 4 || memchr(field.text, letter, i) != NULL)
            return refuse(parser, "the castling field repeats a right");
        const Square rook = castling_rook_of(pos, c, upper, parser->chess960);
        if (rook == SQ_NONE) {
            const bool is_possible = castling_rook_of(pos, c, upper, true) != SQ_NONE;
            note(parser, "castling right %c dropped: %s", letter,
                 is_possible ? "only in Chess960 (option UCI_Chess960)"
                             : "king and rook are not in place");
            continue;
        }
        const int index = 2 * c + (rook < pos_king(pos, c));
        if (pos->castling >> index & 1) {
            note(parser, "castling right %c dropped: another rook already has it", letter);
            continue;
        }
        pos->castling |= (uint8_t)(1 << index);
        pos->castling_rook[index] = (uint8_t)rook;
    }
    return true;
}

/* Drops an en passant square without a legal capture, because most programs write the square after
 * every double step. Adds a note only when the last move cannot have been that double step. */
static bool parse_ep(Parser *parser)
{
    const Field field = parser->fields[FIELD_EP];
    Position *pos = &parser->pos;
    if (is_dash(field))
        return true;
    const char *t = field.text;
    if (field.length != 2 || t[0] < 'a' || t[0] > 'h' || t[1] < '1' || t[1] > '8')
        return refuse(parser, "the en passant field is neither a square nor -");
    const Square target = square_make(t[0] - 'a', t[1] - '1');
    const int push = pawn_push(pos->side);
    if (relative_rank(pos->side, target) != 5 || pos->board[target] != NO_PIECE ||
        pos->board[target + push] != NO_PIECE ||
        pos->board[target - push] != piece_make(pos->side ^ 1, PAWN))
        note(parser, "en passant square %c%c dropped: no pawn has just passed it", t[0], t[1]);
    else if (pos_ep_exists(pos, target))
        pos->ep = (uint8_t)target;
    return true;
}

/* Reads a number into `*value`, cut to `max`, with a note; a missing field leaves it unchanged. */
static bool parse_clock(Parser *parser, int index, unsigned max, unsigned *value)
{
    const Field field = parser->fields[index];
    if (field.length == 0)
        return true;
    const char *const name = index == FIELD_RULE50 ? "halfmove clock" : "fullmove number";
    bool is_cut = false;
    *value = 0;
    for (size_t i = 0; i < field.length; i++) {
        const char c = field.text[i];
        if (c < '0' || c > '9')
            return refuse(parser, "the %s is not a number", name);
        *value = *value * 10 + (unsigned)(c - '0');
        is_cut |= *value > max;
        if (is_cut)
            *value = max;
    }
    if (is_cut)
        note(parser, "%s cut to %u", name, max);
    return true;
}

static bool parse_clocks(Parser *parser)
{
    unsigned rule50 = 0, fullmove = 1;
    if (!parse_clock(parser, FIELD_RULE50, 255, &rule50) ||
        !parse_clock(parser, FIELD_FULLMOVE, 65535, &fullmove))
        return false;
    parser->pos.rule50 = (uint8_t)rule50;
    parser->pos.reversible = (uint8_t)rule50;
    parser->pos.fullmove = (uint16_t)(fullmove > 0 ? fullmove : 1);
    return true;
}

bool fen_parse(Position *pos, const char *text, bool chess960, char *error)
{
    Parser parser = {.chess960 = chess960, .error = error};
    error[0] = '\0';
    memset(parser.pos.board, NO_PIECE, sizeof parser.pos.board);
    memset(parser.pos.castling_rook, SQ_NONE, sizeof parser.pos.castling_rook);
    parser.pos.ep = SQ_NONE;
    if (!split_fields(&parser, text) || !parse_placement(&parser) || !parse_side(&parser) ||
        !check_men(&parser) || !parse_castling(&parser) || !parse_clocks(&parser))
        return false;
    pos_refresh(&parser.pos); // parse_ep() needs the checkers
    if (!parse_ep(&parser))
        return false;
    pos_refresh(&parser.pos);
    assert(pos_check(&parser.pos) == NULL);
    *pos = parser.pos;
    return true;
}

/* Writes the placement without a NUL and returns its end. */
static char *print_placement(const Position *pos, char *out)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const Piece piece = pos_piece_on(pos, square_make(file, rank));
            if (piece == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty > 0)
                *out++ = (char)('0' + empty);
            empty = 0;
            *out++ = PIECE_LETTERS[piece];
        }
        if (empty > 0)
            *out++ = (char)('0' + empty);
        if (rank > 0)
            *out++ = '/';
    }
    return out;
}

void fen_print(const Position *pos, bool chess960, char *out)
{
    char *const start = out;
    const bool has_letters = chess960 || pos_needs_chess960(pos);
    out = print_placement(pos, out);
    *out++ = ' ';
    *out++ = pos->side == WHITE ? 'w' : 'b';
    *out++ = ' ';
    for (int i = 0; i < 4; i++) {
        if ((pos->castling >> i & 1) == 0)
            continue;
        const int file = file_of(pos->castling_rook[i]);
        *out++ = has_letters ? (char)((i < 2 ? 'A' : 'a') + file) : RIGHT_LETTERS[i];
    }
    if (pos->castling == 0)
        *out++ = '-';
    *out++ = ' ';
    if (pos->ep == SQ_NONE) {
        *out++ = '-';
    } else {
        *out++ = (char)('a' + file_of(pos->ep));
        *out++ = (char)('1' + rank_of(pos->ep));
    }
    const size_t left = FEN_MAX - (size_t)(out - start);
    snprintf(out, left, " %u %u", (unsigned)pos->rule50, (unsigned)pos->fullmove);
}
