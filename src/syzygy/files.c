// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

bool syzygy_file_parse(SyzygyFile *file, const char *name)
{
    const char *const dot = strchr(name, '.');
    file->name = name;
    if (dot == NULL || (strcmp(dot, ".rtbw") != 0 && strcmp(dot, ".rtbz") != 0))
        return false;
    file->is_dtz = dot[4] == 'z';
    return syzygy_material_parse(&file->material, name, (size_t)(dot - name));
}

/* A file being read from its start. */
typedef struct {
    FILE *stream;
    int64_t at;   // offset in the file, in bytes
    bool is_over; // the file ended too early
} Header;

/* Reads a little-endian number of `size` bytes. */
static uint32_t read_number(Header *header, int size)
{
    uint32_t number = 0;
    for (int i = 0; i < size; i++) {
        const int byte = fgetc(header->stream);
        header->is_over |= byte == EOF;
        number |= (uint32_t)(byte & 255) << 8 * i;
    }
    header->at += size;
    return number;
}

static void skip(Header *header, int64_t size)
{
    for (int64_t i = 0; i < size && !header->is_over; i++)
        read_number(header, 1);
}

/* The compressed values for one side to move and, with pawns, one board file of the leading pawn:
 * sizes of the three areas that follow the header. */
typedef struct {
    unsigned flags;
    uint64_t index_bytes, block_bytes, value_bytes;
} Part;

enum { PARTS_MAX = 8, PAWN_FILES = 4 };
enum { BYTES_BITS_MAX = 56 };         // of a part: the sum of all parts then fits 64 bits
enum { IS_SPLIT = 1, HAS_PAWNS = 2 }; // flags of a file; split: a part for each side to move
enum { PART_MAPPED = 2, PART_WIDE = 16, PART_CONSTANT = 128 }; // flags of a part

/* Returns the binomial coefficient; 0 if n < k. */
static uint64_t choose(int n, int k)
{
    uint64_t ways = 1;
    for (int i = 0; i < k; i++)
        ways = ways * (uint64_t)(n - i) / (uint64_t)(i + 1);
    return n < k ? 0 : ways;
}

static bool has_pawns(const SyzygyMaterial *m)
{
    return m->count[WHITE][PAWN] + m->count[BLACK][PAWN] > 0;
}

static bool has_pawns_of_both(const SyzygyMaterial *m)
{
    return m->count[WHITE][PAWN] > 0 && m->count[BLACK][PAWN] > 0;
}

static bool is_symmetric(const SyzygyMaterial *m)
{
    return memcmp(m->count[WHITE], m->count[BLACK], sizeof m->count[WHITE]) == 0;
}

/* Returns the number of placements of the leading men, up to symmetry, and removes these men from
 * `m`. Sets `*left` to the number of free squares. The leading men are the first three that are
 * unique in colour and type; if there are fewer, the two kings. */
static uint64_t count_leading_men(SyzygyMaterial *m, int *left)
{
    const int singles = syzygy_material_singles(m), leading = singles >= 3 ? 3 : 2;
    int taken = 0;
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = KING; t >= PAWN; t--)
            if (m->count[c][t] == 1 && taken < leading) {
                m->count[c][t] = 0;
                taken++;
            }
    *left = SQ_NB - leading;
    return leading == 3 ? 31332 : 462;
}

/* Does the same for the pawns of both sides. The side with fewer pawns leads. `file` (0..3) is the
 * board file of its foremost pawn in the order of the tables. */
static uint64_t count_leading_pawns(SyzygyMaterial *m, int file, int *left)
{
    const int white = m->count[WHITE][PAWN], black = m->count[BLACK][PAWN];
    const bool white_leads = black == 0 || (white > 0 && white <= black);
    const int leading = white_leads ? white : black, others = white + black - leading;
    uint64_t ways = 0;
    for (int rank = 0; rank < 6; rank++)
        ways += choose(47 - 12 * file - 2 * rank, leading - 1);
    m->count[WHITE][PAWN] = m->count[BLACK][PAWN] = 0;
    *left = SQ_NB - white - black;
    return ways * choose(48 - leading, others);
}

/* Returns the number of positions in a part of the table; `file` is the board file of the leading
 * pawn. */
static uint64_t count_positions(const SyzygyMaterial *material, int file)
{
    SyzygyMaterial rest = *material;
    int left;
    uint64_t ways = has_pawns(material) ? count_leading_pawns(&rest, file, &left)
                                        : count_leading_men(&rest, &left);
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = PAWN; t <= KING; t++) {
            ways *= choose(left, rest.count[c][t]);
            left -= rest.count[c][t];
        }
    return ways;
}

/* Reads the men of a part, one byte each; the low half is for the first side to move, the high half
 * for the second. Returns true when the men agree with the material. */
static bool read_men(Header *header, const SyzygyMaterial *material, int side_count)
{
    SyzygyMaterial sides[2] = {*material, *material};
    bool is_good = true;
    skip(header, 1 + has_pawns_of_both(material));
    for (int i = 0; i < material->men; i++) {
        const uint32_t both = read_number(header, 1);
        for (int side = 0; side < side_count; side++) {
            const uint32_t man = both >> 4 * side & 15, type = (man & 7) - 1;
            if (type > KING || sides[side].count[man >> 3][type] == 0)
                is_good = false;
            else
                sides[side].count[man >> 3][type]--;
        }
    }
    return is_good;
}

/* Reads the compression parameters of a part, which determine its size. */
static bool read_part(Header *header, uint64_t positions, Part *part)
{
    *part = (Part){.flags = read_number(header, 1)};
    if (part->flags & PART_CONSTANT) {
        skip(header, 1);
        return true;
    }
    const uint32_t block_bits = read_number(header, 1), index_bits = read_number(header, 1);
    const uint32_t spare_blocks = read_number(header, 1), blocks = read_number(header, 4);
    const uint32_t longest = read_number(header, 1), shortest = read_number(header, 1);
    if (block_bits > 31 || index_bits > 31 || longest < shortest)
        return false;
    skip(header, 2 * (int64_t)(longest - shortest + 1));
    const uint32_t symbols = read_number(header, 2);
    skip(header, 3 * (int64_t)symbols + (symbols & 1));
    part->index_bytes = 6 * ((positions + (UINT64_C(1) << index_bits) - 1) >> index_bits);
    part->block_bytes = 2 * ((uint64_t)blocks + spare_blocks);
    part->value_bytes = (uint64_t)blocks << block_bits;
    return !header->is_over && part->value_bytes >> BYTES_BITS_MAX == 0;
}

/* Skips the maps from stored values to distances, which only .rtbz files have. */
static void skip_maps(Header *header, const Part *parts, int count)
{
    for (int i = 0; i < count; i++) {
        const bool is_wide = parts[i].flags & PART_WIDE;
        if ((parts[i].flags & PART_MAPPED) == 0)
            continue;
        skip(header, is_wide ? header->at & 1 : 0);
        for (int map = 0; map < 4; map++)
            skip(header, is_wide ? 2 * (int64_t)read_number(header, 2) : read_number(header, 1));
    }
    skip(header, header->at & 1);
}

/* Returns the size in bytes of a file with these parts. The last 16 bytes are a checksum. */
static uint64_t whole_size(const Header *header, const Part *parts, int count)
{
    uint64_t size = (uint64_t)header->at;
    for (int i = 0; i < count; i++)
        size += parts[i].index_bytes + parts[i].block_bytes;
    for (int i = 0; i < count; i++)
        size = ((size + 63) & ~UINT64_C(63)) + parts[i].value_bytes;
    return ((size + 63) & ~UINT64_C(63)) + 16;
}

/* Returns the fault of a file of `size` bytes, or NULL, as syzygy_file_fault() does. */
static const char *header_fault(Header *header, const SyzygyFile *file, int64_t size)
{
    static const char damaged[] = "has a damaged header", other[] = "is a table of other material";
    const SyzygyMaterial *const m = &file->material;
    const uint32_t magic = read_number(header, 4), flags = read_number(header, 1);
    if (magic != (file->is_dtz ? 0xa50c66d7 : 0x5d23e871))
        return "has a wrong magic number";
    const bool is_split = (flags & IS_SPLIT) && !file->is_dtz;
    if (((flags & HAS_PAWNS) != 0) != has_pawns(m) ||
        (!file->is_dtz && is_split == is_symmetric(m)))
        return other;
    const int files = has_pawns(m) ? PAWN_FILES : 1, sides = is_split ? 2 : 1;
    for (int i = 0; i < files; i++)
        if (!read_men(header, m, sides))
            return header->is_over ? damaged : other;
    skip(header, header->at & 1);
    Part parts[PARTS_MAX];
    for (int i = 0; i < files * sides; i++)
        if (!read_part(header, count_positions(m, i / sides), &parts[i]))
            return damaged;
    if (file->is_dtz)
        skip_maps(header, parts, files);
    if (header->is_over)
        return damaged;
    const uint64_t whole = whole_size(header, parts, files * sides);
    return (uint64_t)size < whole ? "is cut short" : (uint64_t)size > whole ? "is too long" : NULL;
}

const char *syzygy_file_fault(const SyzygyFile *file)
{
    int64_t size;
    const FileKind kind = file_kind(file->path, &size);
    if (kind != FILE_REGULAR)
        return kind == FILE_FOLDER ? "is a folder" : "is not a readable file";
    if (size == 0)
        return "is empty";
    if (size % 64 != 16)
        return "is cut short or too long";
    FILE *const stream = file_open(file->path, "rb");
    if (stream == NULL)
        return "cannot be read";
    Header header = {.stream = stream};
    const char *const fault = header_fault(&header, file, size);
    fclose(stream);
    return fault;
}

/* Arguments of visit_name(). */
typedef struct {
    const char *folder;
    bool (*visit)(void *ctx, const SyzygyFile *file);
    void *ctx;
    bool was_ended; // `visit` returned false
} Round;

static bool visit_name(void *ctx, const char *name)
{
    Round *const round = ctx;
    SyzygyFile file;
    if (!syzygy_file_parse(&file, name))
        return true;
    file.folder = round->folder;
    snprintf(file.path, sizeof file.path, "%s/%s", round->folder, name);
    round->was_ended = !round->visit(round->ctx, &file);
    return !round->was_ended;
}

bool syzygy_files_visit(const char *folders, bool (*visit)(void *ctx, const SyzygyFile *file),
                        void *ctx, char *error)
{
    char folder[FILE_PATH_MAX];
    *error = '\0';
    while (*folders != '\0') {
        const size_t length = strcspn(folders, (char[]){FILE_LIST_SEPARATOR, '\0'});
        Round round = {.folder = folder, .visit = visit, .ctx = ctx};
        if (length > 0) {
            const int written = snprintf(folder, sizeof folder, "%.*s", (int)length, folders);
            if (written >= FILE_PATH_MAX || !file_list(folder, visit_name, &round)) {
                if (!round.was_ended)
                    snprintf(error, SYZYGY_ERROR_MAX, "cannot read the folder '%.400s'", folder);
                return false;
            }
        }
        folders += length + (folders[length] != '\0');
    }
    return true;
}
