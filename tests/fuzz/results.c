// SPDX-License-Identifier: GPL-3.0-or-later
/* CSV files of the laboratory: a file that is extended can be read again and has the old rows and
 * the new one. Input: a file. */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "lab/results.h"

#define HEADER "a,b,c,d"
enum { COLUMNS = 4, KEY_COLUMNS = 2 };

static void check_rows(Results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        char field[32], key[RESULTS_ROW_MAX];
        assert(results_columns(results->rows[i]) == COLUMNS);
        for (int column = 0; column < COLUMNS + 2; column++)
            if (results_field(results->rows[i], column, field, sizeof field))
                assert(column < COLUMNS && strlen(field) < sizeof field);
        const char *const comma = strchr(strchr(results->rows[i], ',') + 1, ',');
        const size_t length = (size_t)(comma - results->rows[i]);
        if (length >= sizeof key)
            continue;
        memcpy(key, results->rows[i], length);
        key[length] = '\0';
        assert(results_find(results, key) == results->rows[i]);
    }
}

void fuzz_results(const uint8_t *bytes, size_t size)
{
    char error[RESULTS_ERROR_MAX];
    Results results;
    ResultsFile file = {.path = fuzz_file(bytes, size),
                        .header = HEADER,
                        .key_columns = KEY_COLUMNS,
                        .mode = RESULTS_READ};
    const bool is_good = results_open(&results, &file, error);
    const size_t count = results.count;
    if (is_good) {
        check_rows(&results);
        results_close(&results);
    }
    file.mode = RESULTS_EXTEND;
    assert(results_open(&results, &file, error) == is_good);
    if (!is_good)
        return;
    const bool is_added = results_add(&results, "new,key,1,2", error);
    const bool has_more = results.count > count;
    results_close(&results);
    file.mode = RESULTS_READ;
    assert(results_open(&results, &file, error));
    assert(results.count == count + has_more);
    assert(!is_added || results_find(&results, "new,key") != NULL);
    results_close(&results);
}

void seed_results(void)
{
    fuzz_seed_text(HEADER "\n1,2,3,4\n1,3,5,6\n" HEADER "\n1,2,3,4\n");
    fuzz_seed_text(HEADER "\r\nx,y,z,w\r\nlong,unfinished,ro");
    fuzz_seed_text(HEADER "\nnew,key,1,2\nnew,other,,\n,,,\n");
    fuzz_seed_text(HEADER "\n1,2,3,4\n1,2,3,5\n");
    fuzz_seed_text("");
}
