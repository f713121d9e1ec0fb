// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/mem_pages.h"

#ifdef __linux__

/* Bytes that can be allocated without swapping, as the whole system has them; UINT64_MAX when
 * unknown. */
static uint64_t system_available(void)
{
    FILE *const file = fopen("/proc/meminfo", "r");
    char line[128];
    uint64_t kib = UINT64_MAX >> 10;
    while (file != NULL && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kib << 10;
}

uint64_t mem_available(void)
{
    const uint64_t available = system_available();
    const uint64_t left = cgroup_memory_left(CGROUP_ROOT, CGROUP_OWN);
    return left < available ? left : available;
}

/* Requests huge pages. True when the system will use them. */
static bool advise_huge(void *block, size_t size)
{
    /* madvise() succeeds even when huge pages are switched off, so read the setting too. */
    char enabled[64] = "[never]";
    FILE *const file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (file) {
        if (!fgets(enabled, sizeof enabled, file))
            enabled[0] = '\0';
        fclose(file);
    }
    return madvise(block, size, MADV_HUGEPAGE) == 0 && !strstr(enabled, "[never]");
}

/* Requests ordinary pages, because the system may use huge ones by default. */
static void advise_ordinary(void *block, size_t size)
{
    madvise(block, size, MADV_NOHUGEPAGE);
}

#else

uint64_t mem_available(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;
}

static bool advise_huge(void *block, size_t size)
{
    (void)block, (void)size;
    return false;
}

static void advise_ordinary(void *block, size_t size)
{
    (void)block, (void)size;
}

#endif

/* Maps `size` bytes, a multiple of the huge page size, aligned to a huge page. NULL, with errno
 * ENOMEM, when less is available. A single huge page is mapped without that check, because blocks
 * cannot be smaller. */
static char *map_aligned(size_t size)
{
    if (size == 0 || (size > HUGE_PAGE && size > mem_available())) {
        errno = ENOMEM; // mem_available() may have left another one
        return NULL;
    }
    /* Map one huge page more, so that an aligned range of the right size lies inside. Then unmap
     * both ends. */
    char *const range =
        mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (range == MAP_FAILED)
        return NULL;
    char *const block = mem_align_up(range);
    const size_t before = (size_t)(block - range);
    if (before > 0)
        munmap(range, before);
    munmap(block + size, HUGE_PAGE - before);
    return block;
}

void *mem_alloc_large(size_t bytes, bool *huge)
{
    const size_t size = mem_whole_pages(bytes);
    char *const block = map_aligned(size);
    const bool is_huge = block != NULL && advise_huge(block, size);
    if (huge)
        *huge = is_huge;
    return block;
}

void *mem_alloc_sparse(size_t bytes)
{
    const size_t size = mem_whole_pages(bytes);
    char *const block = map_aligned(size);
    if (block != NULL)
        advise_ordinary(block, size);
    return block;
}

void mem_free_large(void *block, size_t bytes)
{
    if (block)
        munmap(block, mem_whole_pages(bytes));
}

void mem_zero_large(void *block, size_t bytes)
{
#ifdef __linux__
    /* Only Linux guarantees that these pages read as zero afterwards. */
    if (madvise(block, mem_whole_pages(bytes), MADV_DONTNEED) == 0)
        return;
#endif
    memset(block, 0, bytes);
}

void mem_zero_sparse(void *from, size_t bytes)
{
#ifdef __linux__
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *const begin = from;
    const size_t head = -(uintptr_t)begin & (page - 1);
    const size_t middle = bytes > head ? (bytes - head) & ~(page - 1) : 0;
    if (middle > 0 && madvise(begin + head, middle, MADV_DONTNEED) == 0) {
        memset(begin, 0, head);
        memset(begin + head + middle, 0, bytes - head - middle);
        return;
    }
#endif
    memset(from, 0, bytes);
}

void mem_touch(void *from, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE // Linux 5.14
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t before = (uintptr_t)from & (page - 1);
    if (madvise((char *)from - before, bytes + before, MADV_POPULATE_WRITE) == 0)
        return;
#endif
    mem_touch_pages(from, bytes);
}
