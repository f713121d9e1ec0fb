// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/notation.h"

#include <stdio.h>
#include <string.h>

#include "chess/movegen.h"
#include "chess/play.h"

static const char PROMOTION_LETTERS[] = "nbrq"; // by PieceType - KNIGHT
static const char PIECE_LETTERS[] = "PNBRQK";   // by PieceType

static bool is_short_castling(Move move)
{
    return move_to(move) > move_from(move);
}

static char *print_square(char *out, Square s)
{
    *out++ = (char)('a' + file_of(s));
    *out++ = (char)('1' + rank_of(s));
    return out;
}

/* Returns the square at the start of `text`, or SQ_NONE. */
static Square read_square(const char *text)
{
    if (text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
        return SQ_NONE;
    return square_make(text[0] - 'a', text[1] - '1');
}

void move_to_uci(Move move, bool chess960, char *out)
{
    if (move == MOVE_NONE || move == MOVE_NULL) {
        snprintf(out, MOVE_TEXT_MAX, "0000");
        return;
    }
    const bool is_castling = move_kind(move) == KIND_CASTLING;
    out = print_square(out, move_from(move));
    out = print_square(out, is_castling && !chess960 ? pos_castling_king_to(move) : move_to(move));
    if (move_kind(move) == KIND_PROMOTION)
        *out++ = PROMOTION_LETTERS[move_promoted(move) - KNIGHT];
    *out = '\0';
}

/* Whether the coordinates name `move`; castling by the target of the king or by the square of its
 * rook. One text cannot name both castlings: the other rook would stand on the king's target. */
static bool match_uci(Move move, Square from, Square to)
{
    return move_from(move) == from && (move_to(move) == to || (move_kind(move) == KIND_CASTLING &&
                                                               pos_castling_king_to(move) == to));
}

Move move_from_uci(const Position *pos, const char *text)
{
    const size_t length = strnlen(text, 6);
    if (length != 4 && length != 5)
        return MOVE_NONE;
    const Square from = read_square(text), to = read_square(text + 2);
    const char lower = (char)(text[4] | ('a' - 'A')); // some programs write e7e8Q
    const char *letter = length == 5 ? strchr(PROMOTION_LETTERS, lower) : NULL;
    if (from == SQ_NONE || to == SQ_NONE || (length == 5 && letter == NULL))
        return MOVE_NONE;
    Move moves[MAX_MOVES], best = MOVE_NONE;
    const int count = gen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        const bool is_promotion = move_kind(moves[i]) == KIND_PROMOTION;
        if (is_promotion != (letter != NULL))
            continue;
        if (is_promotion && move_promoted(moves[i]) - KNIGHT != letter - PROMOTION_LETTERS)
            continue;
        if (match_uci(moves[i], from, to) &&
            (best == MOVE_NONE || move_kind(best) == KIND_CASTLING))
            best = moves[i]; // in Chess960 b1c1 can be a king move and castling, too
    }
    return best;
}

/* Writes the shortest disambiguation of `move` from legal moves of equal pieces to the same square:
 * nothing, the file, the rank if the file is shared, or both. Returns the end of the text. */
static char *print_origin(const Position *pos, Move move, char *out)
{
    const Square from = move_from(move);
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    bool is_ambiguous = false, shares_file = false, shares_rank = false;
    for (int i = 0; i < count; i++) {
        const Square other = move_from(moves[i]);
        if (other == from || move_to(moves[i]) != move_to(move) ||
            pos_piece_on(pos, other) != pos_piece_on(pos, from))
            continue;
        is_ambiguous = true;
        shares_file |= file_of(other) == file_of(from);
        shares_rank |= rank_of(other) == rank_of(from);
    }
    if (is_ambiguous && (!shares_file || shares_rank))
        *out++ = (char)('a' + file_of(from));
    if (shares_file)
        *out++ = (char)('1' + rank_of(from));
    return out;
}

void move_to_san(const Position *pos, Move move, char *out)
{
    const PieceType type = piece_type(pos_piece_on(pos, move_from(move)));
    const bool is_capture = pos_is_capture(pos, move);
    if (move_kind(move) == KIND_CASTLING) {
        out += snprintf(out, MOVE_TEXT_MAX, is_short_castling(move) ? "O-O" : "O-O-O");
    } else {
        if (type != PAWN) {
            *out++ = PIECE_LETTERS[type];
            out = print_origin(pos, move, out);
        } else if (is_capture) {
            *out++ = (char)('a' + file_of(move_from(move)));
        }
        if (is_capture)
            *out++ = 'x';
        out = print_square(out, move_to(move));
        if (move_kind(move) == KIND_PROMOTION) {
            *out++ = '=';
            *out++ = PIECE_LETTERS[move_promoted(move)];
        }
    }
    Position after;
    pos_play(&after, pos, move);
    if (pos_in_check(&after))
        *out++ = gen_any(&after) ? '+' : '#';
    *out = '\0';
}

/* Parts of a SAN text; -1, PIECE_TYPE_NB or false where missing. */
typedef struct {
    PieceType type, promoted;
    int from_file, from_rank;
    bool is_capture, is_en_passant;
    Square to;
    int castling; // number of O's: 0, 2 or 3
} San;

/* Whether the text is `pattern`, with letters O, letters o or digits 0. */
static bool is_castling_text(const char *text, size_t length, const char *pattern)
{
    if (length != strlen(pattern) || strchr("Oo0", text[0]) == NULL)
        return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] != (pattern[i] == 'O' ? text[0] : pattern[i]))
            return false;
    return true;
}

static PieceType read_piece(char c)
{
    const char *letter = c != '\0' ? strchr(PIECE_LETTERS, c) : NULL;
    return letter == NULL ? PIECE_TYPE_NB : (PieceType)(letter - PIECE_LETTERS);
}

/* Reads the letter of a promotion, which may be in lower case after a =. */
static PieceType read_promoted(const char *letter)
{
    const char upper = (char)(*letter & ~('a' - 'A'));
    return read_piece(letter[-1] == '=' ? upper : *letter);
}

/* Length of the text without signs of check and glyphs at its end. */
static size_t length_without_signs(const char *text, size_t length)
{
    while (length > 0 && strchr("+#!?", text[length - 1]) != NULL)
        length--;
    return length;
}

/* Parses a SAN text from both ends: the piece from the front, promotion and target from the back.
 * The rest is the disambiguation. */
static bool read_san(const char *text, San *san)
{
    size_t length = length_without_signs(text, strlen(text));
    *san = (San){.type = PAWN, .promoted = PIECE_TYPE_NB, .from_file = -1, .from_rank = -1};
    san->is_en_passant = length > 4 && memcmp(text + length - 4, "e.p.", 4) == 0;
    if (san->is_en_passant)
        length = length_without_signs(text, length - 4);
    if (is_castling_text(text, length, "O-O"))
        san->castling = 2;
    else if (is_castling_text(text, length, "O-O-O"))
        san->castling = 3;
    if (san->castling != 0)
        return true;
    if (length > 0 && text[0] != 'P' && read_piece(text[0]) != PIECE_TYPE_NB) {
        san->type = read_piece(*text++);
        length--;
    }
    if (length > 2 && read_promoted(text + length - 1) != PIECE_TYPE_NB) {
        san->promoted = read_promoted(text + --length);
        length -= text[length - 1] == '=';
    }
    if (length < 2)
        return false;
    length -= 2;
    san->to = read_square(text + length);
    if (length > 0 && text[length - 1] == 'x') {
        san->is_capture = true;
        length--;
    } else if (length == 3 && text[2] == '-') { // after the square of origin: Ng1-f3
        length--;
    }
    if (length > 0 && *text >= 'a' && *text <= 'h') {
        san->from_file = *text++ - 'a';
        length--;
    }
    if (length > 0 && *text >= '1' && *text <= '8') {
        san->from_rank = *text - '1';
        length--;
    }
    return length == 0 && san->to != SQ_NONE;
}

static bool match_san(const Position *pos, Move move, const San *san)
{
    const Square from = move_from(move);
    if (san->is_en_passant && move_kind(move) != KIND_EN_PASSANT)
        return false;
    if (move_kind(move) == KIND_CASTLING)
        return san->castling == (is_short_castling(move) ? 2 : 3);
    if (san->castling != 0 || move_to(move) != san->to ||
        piece_type(pos_piece_on(pos, from)) != san->type)
        return false;
    if ((san->from_file >= 0 && file_of(from) != san->from_file) ||
        (san->from_rank >= 0 && rank_of(from) != san->from_rank))
        return false;
    const bool is_promotion = move_kind(move) == KIND_PROMOTION;
    if (is_promotion ? move_promoted(move) != san->promoted : san->promoted != PIECE_TYPE_NB)
        return false;
    const bool is_capture = pos_is_capture(pos, move);
    if (san->is_capture && !is_capture)
        return false;
    /* SAN always names the file of a capturing pawn; e5 alone is the push. */
    return san->type != PAWN || !is_capture || san->from_file >= 0;
}

Move move_from_san(const Position *pos, const char *text)
{
    San san;
    if (!read_san(text, &san))
        return MOVE_NONE;
    Move moves[MAX_MOVES], found = MOVE_NONE;
    const int count = gen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        if (!match_san(pos, moves[i], &san))
            continue;
        if (found != MOVE_NONE)
            return MOVE_NONE;
        found = moves[i];
    }
    return found;
}

Move move_from_text(const Position *pos, const char *text)
{
    const Move move = move_from_san(pos, text);
    return move != MOVE_NONE ? move : move_from_uci(pos, text);
}
