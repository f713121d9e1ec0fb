// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/network.h"

#include <check.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/checksum.h"
#include "base/file.h"
#include "skip.h"
#include "whole_file.h"

enum { HEAD = 64 };

/* Offsets of the header fields in the file format. */
enum {
    AT_VERSION = 8,
    AT_INPUTS = 12,
    AT_HIDDEN = 16,
    AT_BUCKETS = 20,
    AT_MIRRORED = 24,
    AT_QA = 28,
    AT_QB = 32,
    AT_SCALE = 36,
    AT_SIZE = 40,
    AT_CHECKSUM = 48,
    AT_RESERVED = 56
};

static Network network, other;
static uint8_t *bytes; // a valid file, which the tests damage
static size_t size;
static char path[64], error[NETWORK_ERROR_MAX];

static void read_file(void)
{
    bytes = whole_file_read(path, &size);
}

static void write_file(size_t count)
{
    whole_file_write(path, bytes, count);
}

static void setup(void)
{
    snprintf(path, sizeof path, "/tmp/test_network_%ld", (long)getpid());
    network_randomise(&network, 11);
    network_randomise(&other, 12);
    ck_assert_msg(network_save(&network, path, error), "%s", error);
    read_file();
}

static void teardown(void)
{
    remove(path);
    free(bytes);
}

static void put(size_t at, uint64_t number, int count)
{
    for (int i = 0; i < count; i++)
        bytes[at + (size_t)i] = (uint8_t)(number >> 8 * i);
}

/* Writes the checksum of the current parameters. */
static void put_checksum(void)
{
    const size_t dense = bytes[AT_VERSION] == 3 ? sizeof network.dense : 0;
    const uint64_t sum = checksum64(bytes + HEAD, size - HEAD - dense);
    const uint64_t sum_of_dense = dense > 0 ? checksum64(bytes + size - dense, dense) : 0;
    put(AT_CHECKSUM, sum ^ sum_of_dense * GOLDEN_RATIO_64, 8);
}

/* Checks that the first `count` bytes are refused for this reason and nothing is written. */
static void check_refused(size_t count, const char *reason)
{
    static Network before;
    before = other;
    error[0] = '\0';
    ck_assert_msg(!network_parse(&other, bytes, count, error), "taken, not refused: %s", reason);
    ck_assert_msg(strstr(error, reason) != NULL, "\"%s\" does not say \"%s\"", error, reason);
    ck_assert_mem_eq(&other, &before, sizeof other);
}

START_TEST(a_saved_network_loads_unchanged)
{
    ck_assert_uint_eq(size, network_file_size());
    ck_assert_msg(network_load(&other, path, error), "%s", error);
    ck_assert_mem_eq(&other, &network, sizeof network);
}
END_TEST

START_TEST(the_scale_is_kept_and_is_part_of_the_fingerprint)
{
    char name[NETWORK_NAME_MAX], rescaled[NETWORK_NAME_MAX];
    network_name(&network, name);
    network.scale = 585;
    network_name(&network, rescaled);
    ck_assert_str_ne(name, rescaled);
    ck_assert(network_save(&network, path, error));
    ck_assert_msg(network_load(&other, path, error), "%s", error);
    ck_assert_mem_eq(&other, &network, sizeof network);
}
END_TEST

START_TEST(a_network_parses_at_any_address)
{
    uint8_t *const shifted = malloc(size + 1);
    memcpy(shifted + 1, bytes, size);
    ck_assert_msg(network_parse(&other, shifted + 1, size, error), "%s", error);
    ck_assert_mem_eq(&other, &network, sizeof network);
    free(shifted);
}
END_TEST

START_TEST(numbers_in_the_file_are_little_endian)
{
    ck_assert_int_eq(bytes[AT_HIDDEN] | bytes[AT_HIDDEN + 1] << 8, NNUE_HIDDEN);
    ck_assert_int_eq(bytes[AT_BUCKETS], NNUE_BUCKETS);
    ck_assert_int_eq((int8_t)bytes[HEAD], network.input[0][0]);
    const uint8_t *const biases = bytes + HEAD + offsetof(Network, input_bias);
    ck_assert_int_eq((int16_t)(biases[0] | biases[1] << 8), network.input_bias[0]);
    const uint8_t *const last = bytes + size - sizeof network.dense - 4;
    const uint32_t bias = last[0] | last[1] << 8 | last[2] << 16 | (uint32_t)last[3] << 24;
    ck_assert_int_eq((int32_t)bias, network.output_bias[NNUE_BUCKETS - 1]);
}
END_TEST

START_TEST(saving_replaces_the_old_file_and_leaves_no_draft)
{
    char beside[100];
    ck_assert(network_save(&other, path, error));
    ck_assert(network_load(&network, path, error));
    ck_assert_mem_eq(&other, &network, sizeof network);
    snprintf(beside, sizeof beside, "%s" FILE_DRAFT_END, path);
    ck_assert_int_ne(access(beside, F_OK), 0);
}
END_TEST

START_TEST(a_failed_save_gives_the_reason)
{
    ck_assert(!network_save(&network, "/nowhere/at/all", error));
    ck_assert_str_eq(error, "cannot be written: No such file or directory");
}
END_TEST

START_TEST(a_missing_file_is_refused)
{
    ck_assert(!network_load(&other, "/nowhere/at/all", error));
    ck_assert_str_eq(error, "cannot be opened: No such file or directory");
}
END_TEST

START_TEST(a_file_of_the_wrong_length_is_refused)
{
    check_refused(0, "is too short for a network file: 0 bytes");
    check_refused(HEAD - 1, "is too short for a network file: 63 bytes");
    check_refused(HEAD, "is cut short: 64 bytes of ");
    check_refused(size - 1, "is cut short");
    check_refused(size + 1, "has extra bytes after its end");
    write_file(size + 1);
    ck_assert(!network_load(&other, path, error));
    ck_assert_str_eq(error, "has extra bytes after its end");
    write_file(size - 1);
    ck_assert(!network_load(&other, path, error));
    ck_assert_ptr_nonnull(strstr(error, "is cut short"));
}
END_TEST

/* Header fields of other architectures, each with the expected error. */
static const struct {
    size_t at;
    uint32_t number;
    const char *reason;
} FOREIGN[] = {
    {0, 0x46445025, "is not a network file of this program"},
    {AT_VERSION, 0, "has version 0 of the file format, this program reads versions 1 to 3"},
    {AT_VERSION, 4, "has version 4 of the file format, this program reads versions 1 to 3"},
    {AT_VERSION, 1, "has a damaged header"}, // old files have another size
    {AT_VERSION, 2, "has a damaged header"},
    {AT_INPUTS, 769, "has 769 inputs, this program needs "},
    {AT_HIDDEN, 1024, "has 1024 hidden neurons, this program needs "},
    {AT_BUCKETS, 16, "has 16 output buckets, this program needs "},
    {AT_MIRRORED, !NNUE_MIRRORED,
     NNUE_MIRRORED ? "has unmirrored inputs, this program needs mirrored"
                   : "has mirrored inputs, this program needs unmirrored"},
    {AT_QA, 181, "has 181 as unit of the hidden layer, this program needs 255"},
    {AT_QB, 128, "has 128 as unit of the output weights, this program needs 64"},
    {AT_SCALE, 0, "has 0 as scale of the output, not 1 to 4000"},
    {AT_SCALE, 4001, "has 4001 as scale of the output, not 1 to 4000"},
    {AT_SCALE, 4000, "is damaged: its checksum is wrong"},
    {AT_SIZE, 1, "has a damaged header"},
    {AT_RESERVED + 4, 1, "has a damaged header"},
    {AT_CHECKSUM, 0, "is damaged: its checksum is wrong"},
};

START_TEST(a_network_of_another_architecture_is_refused_with_the_reason)
{
    put(FOREIGN[_i].at, FOREIGN[_i].number, 4);
    check_refused(size, FOREIGN[_i].reason);
}
END_TEST

START_TEST(every_changed_bit_of_the_header_is_detected)
{
    for (size_t bit = 0; bit < 8 * HEAD; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        check_refused(size, "");
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    ck_assert(network_parse(&other, bytes, size, error));
}
END_TEST

START_TEST(changed_parameters_are_detected)
{
    /* The first and last byte of each array, and some between. */
    const size_t ends[] = {offsetof(Network, input_bias), offsetof(Network, output),
                           offsetof(Network, output_bias), size - HEAD};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        for (size_t at = i == 0 ? 0 : ends[i - 1]; at < ends[i];) {
            bytes[HEAD + at] ^= 0x10;
            check_refused(size, "checksum");
            bytes[HEAD + at] ^= 0x10;
            at = at == ends[i] - 1 ? ends[i] : at + 20011 < ends[i] ? at + 20011 : ends[i] - 1;
        }
}
END_TEST

static const struct {
    size_t at;
    int weight, bytes;
    const char *reason;
} WEIGHTS[] = {
    {0, NNUE_INPUT_LIMIT, 1, NULL},
    {0, -NNUE_INPUT_LIMIT, 1, NULL},
    {0, -NNUE_INPUT_LIMIT - 1, 1, "has input weights beyond 127"},
    {offsetof(Network, input_bias) - 1, INT8_MIN, 1, "has input weights beyond 127"},
    {offsetof(Network, input_bias), INT16_MAX, 2, "has input weights beyond 127"},
    {offsetof(Network, output) - 2, INT16_MIN, 2, "has input weights beyond 127"},
    {offsetof(Network, output), NNUE_OUTPUT_LIMIT, 2, NULL},
    {offsetof(Network, output), NNUE_OUTPUT_LIMIT + 1, 2, "has output weights beyond 126"},
    {offsetof(Network, output_bias) - 2, -NNUE_OUTPUT_LIMIT - 1, 2,
     "has output weights beyond 126"},
    {offsetof(Network, output_bias), INT16_MIN, 2, NULL}, // a bias may be anything
};

/* Values of the dense layers, at their place in Network. */
static const struct {
    size_t at;
    int value, bytes;
    bool is_good;
} DENSE_VALUES[] = {
    {offsetof(Network, dense[0].first), INT8_MIN, 1, true},
    {offsetof(Network, dense[1].output), INT16_MIN, 2, true},
    {offsetof(Network, dense[0].first_bias), DENSE_BIAS_LIMIT, 4, true},
    {offsetof(Network, dense[0].first_bias), DENSE_BIAS_LIMIT + 1, 4, false},
    {offsetof(Network, dense[NNUE_BUCKETS - 1].second_bias[DENSE_SECOND - 1]), INT32_MIN, 4, false},
    {offsetof(Network, dense[0].unused[31]), 1, 1, false},
};

START_TEST(dense_layers_that_could_overflow_are_refused)
{
    const size_t from_end = sizeof network.dense - (DENSE_VALUES[_i].at - offsetof(Network, dense));
    put(size - from_end, (uint64_t)DENSE_VALUES[_i].value, DENSE_VALUES[_i].bytes);
    put_checksum();
    if (DENSE_VALUES[_i].is_good)
        ck_assert_msg(network_parse(&other, bytes, size, error), "%s", error);
    else
        check_refused(size, "has dense layers with values out of range");
}
END_TEST

START_TEST(weights_that_could_overflow_are_refused)
{
    put(HEAD + WEIGHTS[_i].at, (uint64_t)WEIGHTS[_i].weight, WEIGHTS[_i].bytes);
    put_checksum();
    if (WEIGHTS[_i].reason)
        check_refused(size, WEIGHTS[_i].reason);
    else
        ck_assert_msg(network_parse(&other, bytes, size, error), "%s", error);
}
END_TEST

/* Makes `bytes` a file of version 2, without dense layers. */
static void make_file_without_dense(void)
{
    size -= sizeof network.dense;
    put(AT_VERSION, 2, 4);
    put(AT_SIZE, size - HEAD, 8);
    put_checksum();
}

START_TEST(dense_layers_that_a_file_lacks_have_no_effect)
{
    make_file_without_dense();
    write_file(size);
    ck_assert_msg(network_load(&other, path, error), "%s", error);
    memset(network.dense, 0, sizeof network.dense);
    ck_assert_mem_eq(&other, &network, sizeof network);
    check_refused(size - 1, "is cut short");
    /* It keeps its name, and is written as it was. */
    ck_assert_uint_eq(network_fingerprint(&other), checksum64(bytes + HEAD, size - HEAD));
    ck_assert(network_save(&other, path, error));
    uint8_t *const before = bytes;
    const size_t size_before = size;
    read_file();
    ck_assert_uint_eq(size, size_before);
    ck_assert_mem_eq(bytes, before, size);
    free(before);
}
END_TEST

/* Makes `bytes` a file of version 1, with 16 bits for an input weight. */
static void make_old_file(void)
{
    make_file_without_dense();
    memset(network.dense, 0, sizeof network.dense);
    uint32_t inputs;
    memcpy(&inputs, bytes + AT_INPUTS, sizeof inputs);
    const size_t count = (size_t)inputs * NNUE_HIDDEN;
    uint8_t *const old = malloc(size + count);
    memcpy(old, bytes, HEAD);
    for (size_t i = 0; i < count; i++) {
        const int weight = (int8_t)bytes[HEAD + i];
        old[HEAD + 2 * i] = (uint8_t)weight;
        old[HEAD + 2 * i + 1] = weight < 0 ? 255 : 0;
    }
    memcpy(old + HEAD + 2 * count, bytes + HEAD + count, size - HEAD - count);
    free(bytes);
    bytes = old;
    size += count;
    put(AT_VERSION, 1, 4);
    put(AT_SIZE, size - HEAD, 8);
    put_checksum();
}

START_TEST(an_old_file_loads_with_its_weights_clipped)
{
    make_old_file();
    write_file(size);
    ck_assert_msg(network_load(&other, path, error), "%s", error);
    ck_assert_mem_eq(&other, &network, sizeof network);
    const size_t biases = 2 * offsetof(Network, input_bias);
    put(HEAD + 2, 505, 2);
    put(HEAD + biases - 2, (uint64_t)-128, 2);
    put(HEAD + biases, INT16_MAX, 2);
    put_checksum();
    ck_assert_msg(network_parse(&other, bytes, size, error), "%s", error);
    ck_assert_int_eq(other.input[0][1], NNUE_INPUT_LIMIT);
    ck_assert_int_eq(other.input[NNUE_INPUTS - 1][NNUE_HIDDEN - 1], -NNUE_INPUT_LIMIT);
    ck_assert_int_eq(other.input_bias[0], NNUE_INPUT_LIMIT);
    check_refused(size - 1, "is cut short");
    put(size - 4 * NNUE_BUCKETS - 2, NNUE_OUTPUT_LIMIT + 1, 2);
    put_checksum();
    check_refused(size, "has output weights beyond 126");
}
END_TEST

/* Makes `bytes` a file of a network with fewer marks: only its first `inputs` rows. */
static void make_file_with_fewer_marks(int inputs)
{
    const size_t count = offsetof(Network, input_bias), kept = (size_t)inputs * NNUE_HIDDEN;
    memmove(bytes + HEAD + kept, bytes + HEAD + count, size - HEAD - count);
    size -= count - kept;
    put(AT_INPUTS, (uint64_t)inputs, 4);
    put(AT_SIZE, size - HEAD, 8);
    put_checksum();
}

START_TEST(a_file_with_fewer_marks_has_the_same_weights_with_and_without_the_others)
{
    const int inputs =
        (int[]){NNUE_PIECE_SQUARES, NNUE_PIECE_SQUARES << 2, NNUE_PIECE_SQUARES << 3}[_i / 2];
    if (inputs > NNUE_INPUTS)
        return; // with NNUE_MARKS < 4
    make_file_with_fewer_marks(inputs);
    if (_i % 2 == 1)
        make_old_file();
    ck_assert_msg(network_parse(&other, bytes, size, error), "%s", error);
    for (int input = 0; input < NNUE_INPUTS; input++)
        ck_assert_mem_eq(other.input[input], network.input[input % inputs], NNUE_HIDDEN);
    ck_assert_mem_eq(other.input_bias, network.input_bias,
                     sizeof network - offsetof(Network, input_bias));
    check_refused(size - 1, "is cut short");
    put(AT_INPUTS, NNUE_INPUTS / 2 + NNUE_PIECE_SQUARES, 4);
    check_refused(size, "inputs, this program needs");
}
END_TEST

START_TEST(a_random_network_is_valid_and_follows_its_seed)
{
    network_randomise(&other, 11);
    ck_assert_mem_eq(&other, &network, sizeof network);
    network_randomise(&other, 13);
    ck_assert_mem_ne(&other, &network, sizeof network);
    int least = 0, greatest = 0;
    for (int input = 0; input < NNUE_INPUTS; input++)
        for (int i = 0; i < NNUE_HIDDEN; i++) {
            least = other.input[input][i] < least ? other.input[input][i] : least;
            greatest = other.input[input][i] > greatest ? other.input[input][i] : greatest;
        }
    ck_assert_int_eq(least, -NNUE_INPUT_LIMIT);
    ck_assert_int_eq(greatest, NNUE_INPUT_LIMIT);
}
END_TEST

START_TEST(different_networks_have_different_names)
{
    char name[9], name_of_other[9], digits[17];
    network_name(&network, name);
    network_name(&other, name_of_other);
    ck_assert_str_ne(name, name_of_other);
    snprintf(digits, sizeof digits, "%02x%02x%02x%02x", bytes[AT_CHECKSUM + 7],
             bytes[AT_CHECKSUM + 6], bytes[AT_CHECKSUM + 5], bytes[AT_CHECKSUM + 4]);
    ck_assert_str_eq(name, digits);
}
END_TEST

START_TEST(the_embedded_network_is_loaded_once_and_is_valid)
{
    const Network *const embedded = network_embedded(error);
    ck_assert_ptr_eq(network_embedded(error), embedded);
    if (embedded == NULL) {
        skip_test("built without a network");
        return;
    }
    /* The embedded bytes are also a valid file. */
    ck_assert(network_save(embedded, path, error));
    ck_assert_msg(network_load(&other, path, error), "%s", error);
    ck_assert_mem_eq(&other, embedded, sizeof other);
}
END_TEST

Suite *suite_network(void);
Suite *suite_network(void)
{
    Suite *suite = suite_create("network");
    TCase *tcase = tcase_create("network");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_saved_network_loads_unchanged);
    tcase_add_test(tcase, the_scale_is_kept_and_is_part_of_the_fingerprint);
    tcase_add_test(tcase, a_network_parses_at_any_address);
    tcase_add_test(tcase, numbers_in_the_file_are_little_endian);
    tcase_add_test(tcase, saving_replaces_the_old_file_and_leaves_no_draft);
    tcase_add_test(tcase, a_failed_save_gives_the_reason);
    tcase_add_test(tcase, a_missing_file_is_refused);
    tcase_add_test(tcase, a_file_of_the_wrong_length_is_refused);
    tcase_add_loop_test(tcase, a_network_of_another_architecture_is_refused_with_the_reason, 0,
                        sizeof FOREIGN / sizeof FOREIGN[0]);
    tcase_add_test(tcase, every_changed_bit_of_the_header_is_detected);
    tcase_add_test(tcase, changed_parameters_are_detected);
    tcase_add_loop_test(tcase, weights_that_could_overflow_are_refused, 0,
                        sizeof WEIGHTS / sizeof WEIGHTS[0]);
    tcase_add_loop_test(tcase, dense_layers_that_could_overflow_are_refused, 0,
                        sizeof DENSE_VALUES / sizeof DENSE_VALUES[0]);
    tcase_add_test(tcase, dense_layers_that_a_file_lacks_have_no_effect);
    tcase_add_test(tcase, an_old_file_loads_with_its_weights_clipped);
    tcase_add_loop_test(
        tcase, a_file_with_fewer_marks_has_the_same_weights_with_and_without_the_others, 0, 6);
    tcase_add_test(tcase, a_random_network_is_valid_and_follows_its_seed);
    tcase_add_test(tcase, different_networks_have_different_names);
    tcase_add_test(tcase, the_embedded_network_is_loaded_once_and_is_valid);
    suite_add_tcase(suite, tcase);
    return suite;
}
