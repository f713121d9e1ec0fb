// SPDX-License-Identifier: GPL-3.0-or-later
/* Names and headers of Syzygy tables, and their lists of sums. libfathom does not take part: it
 * trusts the contents of a table. Input: a name up to a line end; a byte that is the number of
 * 64-byte blocks of zeros in front of the last 16 bytes of the file; the file. */
#include "fuzz.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "syzygy/files.h"

static void check_material(const SyzygyMaterial *material)
{
    Position pos;
    assert(3 <= material->men && material->men <= SYZYGY_MEN_MAX);
    if (syzygy_material_quiet(material, &pos))
        assert(pos_check(&pos) == NULL && popcount(pos_occupied(&pos)) == material->men);
    assert(syzygy_material_singles(material) >= 2);
}

void fuzz_syzygy(const uint8_t *bytes, size_t size)
{
    const uint8_t *const end = memchr(bytes, '\n', size);
    SyzygyFile file = {.folder = "."};
    if (end == NULL || end + 2 > bytes + size)
        return;
    char *const name = fuzz_text(bytes, (size_t)(end - bytes));
    if (syzygy_file_parse(&file, name)) {
        static char zeros[256 * 64];
        StrBuf table = {0};
        check_material(&file.material);
        strbuf_add_bytes(&table, (const char *)end + 2, size - (size_t)(end + 2 - bytes));
        /* Fills up to the size that every table has. */
        strbuf_add_bytes(&table, zeros, (size_t)end[1] * 64 + (64 + 16 - table.length % 64) % 64);
        snprintf(file.path, sizeof file.path, "%s", fuzz_file(table.text, table.length));
        syzygy_file_fault(&file);
        strbuf_free(&table);
    }
    free(name);
}

void seed_syzygy(void)
{
    /* Tables of a bishop or knight, all positions drawn: magic, kind, order, men, constant. */
    static const uint8_t WDL[] = {'K',  'B',  'v',  'K',  '.',  'r',  't',  'b', 'w',
                                  '\n', 0,    0x71, 0xe8, 0x23, 0x5d, 0x31, 0,   0xee,
                                  0x66, 0x33, 0,    0x80, 2,    0x80, 2};
    static const uint8_t DTZ[] = {'K',  'N',  'v',  'K',  '.', 'r',  't',  'b', 'z', '\n', 0, 0xd7,
                                  0x66, 0x0c, 0xa5, 0x31, 0,   0x0e, 0x06, 2,   0,   0x80, 0};
    /* Sizes instead of constants: block and index bits, blocks, shortest and longest code. */
    static const uint8_t SIZES[] = {'K', 'P',  'v',  'K',  '.',  'r', 't', 'b',  'w',  '\n',
                                    4,   0x71, 0xe8, 0x23, 0x5d, 3,   0,   0x66, 0xee, 0x11,
                                    0,   0,    6,    10,   0,    1,   0,   0,    0,    1,
                                    1,   0,    0,    1,    0,    1,   2,   3,    0,    0};
    fuzz_seed(WDL, sizeof WDL);
    fuzz_seed(DTZ, sizeof DTZ);
    fuzz_seed(SIZES, sizeof SIZES);
    fuzz_seed_text("KQPPvKRP.rtbz\n\1\xd7\x66\x0c\xa5\2");
    fuzz_seed_text("KRBvKNN.rtbw\n\1\x71\xe8\x23\x5d\1");
}
