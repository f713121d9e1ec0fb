// SPDX-License-Identifier: GPL-3.0-or-later
/* The entry points of libFuzzer. The environment variable FUZZ_TARGET names the target. If
 * FUZZ_SEEDS names a folder, the program only writes the seeds of the target there. */
#define _GNU_SOURCE // memfd_create
#include "fuzz.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/record_log.h"
#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "engine/init.h"
#include "nnue/network.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct {
    const char *name;
    void (*run)(const uint8_t *bytes, size_t size);
    void (*seed)(void);
} Target;

static const Target TARGETS[] = {
#define TARGET(name, most) {#name, fuzz_##name, seed_##name},
#include "targets.def"
#undef TARGET
};

static const Target *chosen;
static const char *seed_folder;
static int seed_count;

char *fuzz_text(const uint8_t *bytes, size_t size)
{
    char *const text = malloc(size + 1);
    assert(text != NULL);
    memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}

/* The file in memory and its path. */
static int memory_file = -1;
static char memory_path[64];

static void empty_memory_file(void)
{
    if (memory_file < 0) {
        memory_file = memfd_create("fuzz", 0);
        assert(memory_file >= 0);
        snprintf(memory_path, sizeof memory_path, "/proc/self/fd/%d", memory_file);
    }
    if (ftruncate(memory_file, 0) != 0 || lseek(memory_file, 0, SEEK_SET) != 0)
        abort();
}

const char *fuzz_file(const void *bytes, size_t size)
{
    empty_memory_file();
    if (size > 0 && write(memory_file, bytes, size) != (ssize_t)size)
        abort();
    return memory_path;
}

const char *fuzz_record_log(const char *magic, const uint8_t *bytes, size_t size)
{
    RecordWriter writer;
    if (size == 0 || bytes[0] == 0)
        return fuzz_file(bytes + (size > 0), size - (size > 0));
    empty_memory_file();
    FILE *const stream = fopen(memory_path, "wb");
    assert(stream != NULL);
    if (!record_log_begin_writing(&writer, stream, magic))
        abort();
    for (size_t at = 1; at + 2 < size;) {
        const size_t wanted = bytes[at] | (size_t)bytes[at + 1] << 8, left = size - at - 2;
        const size_t length = wanted < left ? wanted : left;
        if (length > 0 && !record_log_append(&writer, bytes + at + 2, length))
            abort();
        at += 2 + length;
    }
    if (!record_log_append_close(&writer))
        abort();
    return memory_path;
}

void fuzz_seed(const void *bytes, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%03d", seed_folder, ++seed_count);
    FILE *const file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

void fuzz_seed_text(const char *text)
{
    fuzz_seed(text, strlen(text));
}

void fuzz_seed_log(const char *path, const char *magic)
{
    static RecordReader reader;
    char error[RECORD_LOG_ERROR_MAX];
    StrBuf whole = {0}, blocks = {0};
    FILE *const file = fopen(path, "rb");
    assert(file != NULL);
    strbuf_add_bytes(&whole, "", 1);
    strbuf_add_bytes(&blocks, "\1", 1);
    for (int c = getc(file); c != EOF; c = getc(file))
        strbuf_add_bytes(&whole, (const char[]){(char)c}, 1);
    fclose(file);
    if (!record_log_read_open(&reader, path, magic, error))
        abort();
    while (record_log_read(&reader) == RECORD_OK) {
        const char size[] = {(char)reader.size, (char)(reader.size >> 8)};
        strbuf_add_bytes(&blocks, size, sizeof size);
        strbuf_add_bytes(&blocks, (const char *)reader.bytes, reader.size);
    }
    record_log_read_close(&reader);
    fuzz_seed(whole.text, whole.length);
    fuzz_seed(blocks.text, blocks.length);
    strbuf_free(&whole);
    strbuf_free(&blocks);
}

int fuzz_random_game(uint64_t seed, int plies, FuzzVisit visit, void *ctx)
{
    Rng rng;
    Position pos;
    Move moves[MAX_MOVES];
    char error[FEN_ERROR_MAX];
    rng_seed(&rng, seed);
    fen_parse(&pos, FEN_START, false, error);
    for (int ply = 0; ply < plies; ply++) {
        const int count = gen_legal(&pos, moves);
        if (count == 0)
            return ply;
        const Move move = moves[rng_below(&rng, (uint64_t)count)];
        if (visit != NULL)
            visit(ctx, &pos, move);
        pos_advance(&pos, move);
    }
    return plies;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    char error[NETWORK_ERROR_MAX];
    const char *const name = getenv("FUZZ_TARGET");
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++)
        if (name != NULL && strcmp(name, TARGETS[i].name) == 0)
            chosen = &TARGETS[i];
    if (chosen == NULL) {
        fprintf(stderr, "set FUZZ_TARGET to a name of tests/fuzz/targets.def\n");
        exit(2);
    }
    file_outlive_limits();
    chess_init();
    if (!engine_init(error)) {
        fprintf(stderr, "%s\n", error);
        exit(2);
    }
    seed_folder = getenv("FUZZ_SEEDS");
    if (seed_folder != NULL) {
        chosen->seed();
        exit(0);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    chosen->run(bytes, size);
    return 0;
}
