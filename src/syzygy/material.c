// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/material.h"

#include <string.h>

static const char LETTERS[] = "PNBRQK"; // by PieceType

/* Parses the men of one side, up to `v` or the end: the king, then queen to pawn. Returns the
 * number of bytes read, or 0 on an error. */
static size_t parse_side(SyzygyMaterial *material, Color c, const char *name, size_t length)
{
    size_t at = 0;
    PieceType last = KING;
    for (; at < length && name[at] != 'v'; at++) {
        const char *const letter = name[at] != '\0' ? strchr(LETTERS, name[at]) : NULL;
        const PieceType type = letter != NULL ? (PieceType)(letter - LETTERS) : KING;
        if ((at == 0) != (type == KING) || letter == NULL || type > last)
            return 0;
        material->count[c][type]++;
        material->men++;
        last = type;
    }
    return at;
}

bool syzygy_material_parse(SyzygyMaterial *material, const char *name, size_t length)
{
    memset(material, 0, sizeof *material);
    const size_t white = parse_side(material, WHITE, name, length);
    if (white == 0 || white == length)
        return false;
    const size_t black = parse_side(material, BLACK, name + white + 1, length - white - 1);
    if (black == 0 || white + 1 + black != length || material->men > SYZYGY_MEN_MAX ||
        material->men < 3)
        return false;
    if (white != black)
        return white > black;
    for (PieceType t = QUEEN; t >= PAWN; t--)
        if (material->count[WHITE][t] != material->count[BLACK][t])
            return material->count[WHITE][t] > material->count[BLACK][t];
    return true;
}

int syzygy_material_singles(const SyzygyMaterial *material)
{
    int singles = 0;
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = PAWN; t <= KING; t++)
            singles += material->count[c][t] == 1;
    return singles;
}

/* Returns true when neither side attacks a man of the other. Both kings must be on the board. */
static bool is_quiet(const Position *pos)
{
    const Bitboard occupied = pos_occupied(pos);
    return (pos_attacks_by(pos, WHITE, occupied) & pos->by_color[BLACK]) == 0 &&
           (pos_attacks_by(pos, BLACK, occupied) & pos->by_color[WHITE]) == 0;
}

/* Places the men one after the other on quiet squares, by backtracking. Returns false when this is
 * impossible. */
static bool place(Position *pos, const Piece *men, int count)
{
    if (count == 0)
        return true;
    const bool is_pawn = piece_type(*men) == PAWN;
    for (Square s = A1; s < SQ_NB; s++) {
        if (pos->board[s] != NO_PIECE || (is_pawn && (s < A2 || s > H7)))
            continue;
        pos_put(pos, *men, s);
        if (is_quiet(pos) && place(pos, men + 1, count - 1))
            return true;
        pos_put(pos, *men, s);
    }
    return false;
}

bool syzygy_material_quiet(const SyzygyMaterial *material, Position *pos)
{
    Piece men[SYZYGY_MEN_MAX];
    int count = 0;
    for (PieceType t = QUEEN; t >= PAWN; t--)
        for (Color c = WHITE; c <= BLACK; c++)
            for (int i = 0; i < material->count[c][t]; i++)
                men[count++] = piece_make(c, t);
    *pos = (Position){.side = WHITE, .ep = SQ_NONE, .fullmove = 1};
    memset(pos->board, NO_PIECE, sizeof pos->board);
    memset(pos->castling_rook, SQ_NONE, sizeof pos->castling_rook);
    pos_put(pos, W_KING, A1);
    pos_put(pos, B_KING, G8);
    const bool is_found = place(pos, men, count);
    pos_refresh(pos);
    return is_found;
}
