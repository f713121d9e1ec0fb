// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/attacks.h"

Slider attacks_bishop_sliders[SQ_NB];
Slider attacks_rook_sliders[SQ_NB];
Bitboard attacks_pawn_table[COLOR_NB][SQ_NB];
Bitboard attacks_knight_table[SQ_NB];
Bitboard attacks_king_table[SQ_NB];

/* Sums over all squares of 2^(number of relevant squares). */
enum { BISHOP_ENTRIES = 5248, ROOK_ENTRIES = 102400 };

static Bitboard bishop_table[BISHOP_ENTRIES];
static Bitboard rook_table[ROOK_ENTRIES];

/* Found by trying sparse random numbers. For each square, occupancies share a table entry only when
 * their attacks are equal. */
// clang-format off
static const uint64_t BISHOP_MAGICS[SQ_NB] = {
    0x4104900081240080ULL, 0x40501020810044A0ULL, 0x081000C081049220ULL, 0x0848204848440044ULL,
    0x0001104000286011ULL, 0x6001012010010054ULL, 0x0000484808484000ULL, 0x00001104100C5400ULL,
    0x8009040410040108ULL, 0x0014100240810600ULL, 0x1044840802004800ULL, 0x0200082080228000ULL,
    0x08001A0210802404ULL, 0x40018101A0104404ULL, 0x1400062804040400ULL, 0x0020070061042080ULL,
    0x1010088584100401ULL, 0x1062080444080A20ULL, 0x0008050424202200ULL, 0x4884212802002209ULL,
    0x0061005890402000ULL, 0x8048C02200522000ULL, 0x0002800C42301002ULL, 0x2400800042009085ULL,
    0x1008880020207144ULL, 0x10080300A0840100ULL, 0x0102010018880200ULL, 0x5620208108008002ULL,
    0x8010840000802021ULL, 0x2C01284002005000ULL, 0x00010A0104020110ULL, 0x0905410006013112ULL,
    0x4018481842B42080ULL, 0x3008841008201288ULL, 0x0101080100621400ULL, 0x9010040400A80210ULL,
    0x4240002020820080ULL, 0x000C0084090A0100ULL, 0x200908220B430120ULL, 0x0881004600010104ULL,
    0x8021041042C10410ULL, 0x0002008405042050ULL, 0x400C0A4048081000ULL, 0x0888008420209402ULL,
    0x002208A900400402ULL, 0x0040380101000070ULL, 0x40200114290010A0ULL, 0x0004010042044109ULL,
    0x008A091002104808ULL, 0x0010208210100060ULL, 0x4024284404044A20ULL, 0x9008504A42020400ULL,
    0x1400120A10240008ULL, 0x0008401001024810ULL, 0x0AC0825401120064ULL, 0x02848C8400420240ULL,
    0x0504802682206000ULL, 0x4083020100C23010ULL, 0x0220108050441000ULL, 0x5206140088420200ULL,
    0x000800C008102402ULL, 0x0000000A10104081ULL, 0x0000C00404408200ULL, 0x0004015808108080ULL
};

static const uint64_t ROOK_MAGICS[SQ_NB] = {
    0x0480002018804000ULL, 0x02C000700040A000ULL, 0x0200084020120080ULL, 0x0900041001002109ULL,
    0x0200080402002010ULL, 0x0200041008010200ULL, 0x0200080100840200ULL, 0x0300004B0000892AULL,
    0x0631800021C00090ULL, 0x4000804000802000ULL, 0x5400808010002000ULL, 0x0008800800811002ULL,
    0x3011000700100800ULL, 0x0007000300040048ULL, 0x82140010010224C8ULL, 0x8020800100005080ULL,
    0x0101828000400020ULL, 0x0080848040002000ULL, 0x8220808010002000ULL, 0x8008808010000800ULL,
    0x0010050010080100ULL, 0x1000808004000201ULL, 0x9913C10100040200ULL, 0x04840200004400A1ULL,
    0x8240004080003080ULL, 0x01101041C0022000ULL, 0x0089001300200140ULL, 0x0084090100201000ULL,
    0x4080110100040800ULL, 0x0002000280040080ULL, 0x02C0020400B00108ULL, 0x0031294200041081ULL,
    0x4010400020800091ULL, 0x8110042008400040ULL, 0x0000200088801002ULL, 0x0000800800801001ULL,
    0x0400040801001100ULL, 0x0000040080800200ULL, 0x0412001806000304ULL, 0x0063010062000084ULL,
    0x0280004020004002ULL, 0x1010208201020040ULL, 0x0000200041050010ULL, 0x0080100008008080ULL,
    0xA000080100050010ULL, 0xA002040002008080ULL, 0x0102000401820048ULL, 0x0000024394020003ULL,
    0x0200502081020200ULL, 0x0242008100204200ULL, 0x0E00801000200080ULL, 0x0010001008008080ULL,
    0x0000440080080280ULL, 0x0002000400800280ULL, 0x0084100118AA0400ULL, 0x0020800100004080ULL,
    0x0080008020124505ULL, 0x8600102100420082ULL, 0x2502100A01224082ULL, 0x0031000448229001ULL,
    0x0103000208000411ULL, 0x1091000802040003ULL, 0x000040A102081004ULL, 0x01810C0042850132ULL
};
// clang-format on

/* Squares from `s` in both directions along one line, each way up to and including the first
 * occupied one. */
static Bitboard walk_line(Square s, int file_step, int rank_step, Bitboard occupied)
{
    Bitboard attacks = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        int file = file_of(s), rank = rank_of(s);
        for (;;) {
            file += sign * file_step;
            rank += sign * rank_step;
            if (file < 0 || file > 7 || rank < 0 || rank > 7)
                break;
            attacks |= bb_of(square_make(file, rank));
            if (bb_has(occupied, square_make(file, rank)))
                break;
        }
    }
    return attacks;
}

static Bitboard walk_bishop(Square s, Bitboard occupied)
{
    return walk_line(s, 1, 1, occupied) | walk_line(s, 1, -1, occupied);
}

static Bitboard walk_rook(Square s, Bitboard occupied)
{
    return walk_line(s, 1, 0, occupied) | walk_line(s, 0, 1, occupied);
}

/* Squares whose occupancy changes the attacks from `s`. Leaves out the last square of each ray: a
 * piece there blocks nothing. */
static Bitboard relevant_squares(Square s, bool is_rook)
{
    if (!is_rook) {
        const Bitboard rim = bb_file(0) | bb_file(7) | bb_rank(0) | bb_rank(7);
        return walk_bishop(s, 0) & ~rim;
    }
    return (bb_file(file_of(s)) & ~(bb_rank(0) | bb_rank(7)) & ~bb_of(s)) |
           (bb_rank(rank_of(s)) & ~(bb_file(0) | bb_file(7)) & ~bb_of(s));
}

static void fill_sliders(Slider *sliders, const uint64_t *magics, Bitboard *table, bool is_rook)
{
    for (Square s = 0; s < SQ_NB; s++) {
        Slider *slider = &sliders[s];
        slider->mask = relevant_squares(s, is_rook);
        slider->magic = magics[s];
        slider->shift = 64 - popcount(slider->mask);
        slider->attacks = table;
        Bitboard occupied = 0;
        do { // loops over all subsets of the mask (carry-rippler)
            const Bitboard attacks = is_rook ? walk_rook(s, occupied) : walk_bishop(s, occupied);
            slider->attacks[attacks_slider_index(slider, occupied)] = attacks;
            occupied = (occupied - slider->mask) & slider->mask;
        } while (occupied);
        table += 1ULL << popcount(slider->mask);
    }
}

static void fill_leapers(void)
{
    for (Square s = 0; s < SQ_NB; s++) {
        const Bitboard b = bb_of(s), row = b | bb_east(b) | bb_west(b);
        attacks_king_table[s] = (row | row << 8 | row >> 8) & ~b;
        attacks_knight_table[s] = bb_knight_attacks(b);
        attacks_pawn_table[WHITE][s] = bb_pawn_attacks(WHITE, b);
        attacks_pawn_table[BLACK][s] = bb_pawn_attacks(BLACK, b);
    }
}

void attacks_init(void)
{
    fill_leapers();
    fill_sliders(attacks_bishop_sliders, BISHOP_MAGICS, bishop_table, false);
    fill_sliders(attacks_rook_sliders, ROOK_MAGICS, rook_table, true);
}

const char *attacks_method(void)
{
    return ATTACKS_PEXT ? "pext" : "magic";
}
