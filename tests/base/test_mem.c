// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE // mincore
#include "base/mem.h"

#include <check.h>
#include <errno.h>
#include <string.h>

#ifndef _WIN32
#include <sys/mman.h>
#endif

static bool is_zero(const char *block, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (block[i] != 0)
            return false;
    return true;
}

static const size_t SIZES[] = {1, 4096, (2u << 20) - 1, 2u << 20, (2u << 20) + 1, 16u << 20};

START_TEST(block_is_aligned_zeroed_and_writable_to_its_end)
{
    const size_t bytes = SIZES[_i];
    char *block = mem_alloc_large(bytes, NULL);
    ck_assert_ptr_nonnull(block);
    ck_assert_uint_eq((uintptr_t)block % (2u << 20), 0);
    ck_assert(is_zero(block, bytes));
    memset(block, 0xa5, bytes);
    mem_free_large(block, bytes);
}
END_TEST

START_TEST(zeroing_clears_the_whole_block_and_leaves_it_usable)
{
    const size_t bytes = SIZES[_i];
    char *block = mem_alloc_large(bytes, NULL);
    ck_assert_ptr_nonnull(block);
    memset(block, 0xa5, bytes);
    mem_zero_large(block, bytes);
    ck_assert(is_zero(block, bytes));
    memset(block, 0x5a, bytes);
    ck_assert_int_eq(block[bytes - 1], 0x5a);
    mem_free_large(block, bytes);
}
END_TEST

/* Linux itself would grant much of this, and kill the process when it uses the memory. */
START_TEST(more_than_the_available_memory_is_refused)
{
    bool huge = true;
    ck_assert_ptr_null(mem_alloc_large((size_t)33554432 << 20, &huge));
    ck_assert(!huge);
    ck_assert_ptr_null(mem_alloc_large(SIZE_MAX, NULL));
    ck_assert_ptr_null(mem_alloc_sparse(SIZE_MAX));
    ck_assert_ptr_null(mem_alloc_sparse((size_t)33554432 << 20));
    ck_assert_ptr_null(mem_alloc_large(SIZE_MAX - (3u << 20), NULL));
    const uint64_t available = mem_available();
    if (available < UINT64_MAX / 2)
        ck_assert_ptr_null(mem_alloc_large((size_t)available + (192u << 20), NULL));
}
END_TEST

static const size_t TOO_LARGE[] = {SIZE_MAX, (size_t)33554432 << 20};

START_TEST(a_refusal_says_in_errno_that_memory_is_short)
{
    errno = 0;
    ck_assert_ptr_null(mem_alloc_large(TOO_LARGE[_i], NULL));
    ck_assert_int_eq(errno, ENOMEM);
    errno = 0;
    ck_assert_ptr_null(mem_alloc_sparse(TOO_LARGE[_i]));
    ck_assert_int_eq(errno, ENOMEM);
}
END_TEST

#ifdef __linux__
/* Number of resident pages of the block. */
static size_t resident_pages(char *block, size_t bytes)
{
    static unsigned char states[16 << 20 >> 12];
    ck_assert_int_eq(mincore(block, bytes, states), 0);
    size_t sum = 0;
    for (size_t i = 0; i < bytes >> 12; i++)
        sum += states[i] & 1;
    return sum;
}

START_TEST(sparse_block_uses_memory_only_for_touched_pages)
{
    const size_t bytes = 16u << 20;
    char *block = mem_alloc_sparse(bytes);
    ck_assert_ptr_nonnull(block);
    for (size_t i = 0; i < bytes; i += bytes / 8)
        block[i] = 1;
    ck_assert_uint_le(resident_pages(block, bytes), 8);
    mem_zero_sparse(block + 1, bytes - 1);
    ck_assert_uint_le(resident_pages(block, bytes), 2);
    ck_assert_int_eq(block[0], 1);
    ck_assert(is_zero(block + 1, bytes - 1));
    mem_free_large(block, bytes);
}
END_TEST
#endif

#ifdef __linux__
START_TEST(touched_pages_are_resident_and_keep_their_contents)
{
    const size_t bytes = 16u << 20, page = 4096;
    char *block = mem_alloc_sparse(bytes);
    ck_assert_ptr_nonnull(block);
    block[3 * page] = 5;
    mem_touch(block + 2 * page + 100, 3 * page); // parts of four pages
    ck_assert_uint_eq(resident_pages(block, bytes), 4);
    mem_touch(block, bytes);
    ck_assert_uint_eq(resident_pages(block, bytes), bytes / page);
    ck_assert_int_eq(block[3 * page], 5);
    block[3 * page] = 0;
    ck_assert(is_zero(block, bytes));
    mem_touch(block, 0);
    mem_free_large(block, bytes);
}
END_TEST
#endif

static const struct {
    size_t from, bytes;
} RANGES[] = {{0, 65536}, {0, 1},       {5, 100},     {4095, 2},     {4096, 4096},
              {1, 4095},  {1, 4096},    {4000, 8192}, {4096, 60001}, {12345, 50000},
              {65536, 0}, {4097, 4094}, {65535, 1},   {100, 0}};

START_TEST(zeroing_within_a_sparse_block_keeps_the_rest)
{
    const size_t bytes = 65536, from = RANGES[_i].from, to = from + RANGES[_i].bytes;
    char *block = mem_alloc_sparse(bytes);
    ck_assert_ptr_nonnull(block);
    ck_assert(is_zero(block, bytes));
    memset(block, 0xa5, bytes);
    mem_zero_sparse(block + from, to - from);
    for (size_t i = 0; i < bytes; i++)
        ck_assert_int_eq(block[i] == 0, from <= i && i < to);
    mem_free_large(block, bytes);
}
END_TEST

#ifndef _WIN32
static bool is_mapped(char *page)
{
    return msync(page, 1, MS_ASYNC) == 0;
}

START_TEST(freeing_unmaps_the_whole_block)
{
    const size_t bytes = SIZES[_i];
    char *block = mem_alloc_large(bytes, NULL);
    ck_assert_ptr_nonnull(block);
    char *last_page = block + (bytes - 1) / 65536 * 65536;
    ck_assert(is_mapped(block) && is_mapped(last_page));
    mem_free_large(block, bytes);
    ck_assert(!is_mapped(block) && !is_mapped(last_page));
    mem_free_large(NULL, bytes);
}
END_TEST
#endif

Suite *suite_mem(void);
Suite *suite_mem(void)
{
    const int sizes = sizeof SIZES / sizeof SIZES[0];
    Suite *suite = suite_create("mem");
    TCase *tcase = tcase_create("mem");
    tcase_set_timeout(tcase, 20);
    tcase_add_loop_test(tcase, block_is_aligned_zeroed_and_writable_to_its_end, 0, sizes);
    tcase_add_loop_test(tcase, zeroing_clears_the_whole_block_and_leaves_it_usable, 0, sizes);
    tcase_add_test(tcase, more_than_the_available_memory_is_refused);
    tcase_add_loop_test(tcase, a_refusal_says_in_errno_that_memory_is_short, 0,
                        sizeof TOO_LARGE / sizeof TOO_LARGE[0]);
    tcase_add_loop_test(tcase, zeroing_within_a_sparse_block_keeps_the_rest, 0,
                        (int)(sizeof RANGES / sizeof RANGES[0]));
#ifdef __linux__
    tcase_add_test(tcase, sparse_block_uses_memory_only_for_touched_pages);
    tcase_add_test(tcase, touched_pages_are_resident_and_keep_their_contents);
#endif
#ifndef _WIN32
    tcase_add_loop_test(tcase, freeing_unmaps_the_whole_block, 0, sizes);
#endif
    suite_add_tcase(suite, tcase);
    return suite;
}
