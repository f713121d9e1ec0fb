// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"

#include <errno.h>
#include <string.h>
#include <windows.h>

#include "base/mem_pages.h"

uint64_t mem_available(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullAvailPhys : UINT64_MAX;
}

/* Enables the privilege for large pages ("Lock pages in memory"), which an administrator must have
 * granted to the account. True on success. */
static bool claim_large_pages(void)
{
    HANDLE token;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &token))
        return false;
    TOKEN_PRIVILEGES privileges = {.PrivilegeCount = 1,
                                   .Privileges = {{.Attributes = SE_PRIVILEGE_ENABLED}}};
    const bool is_granted =
        LookupPrivilegeValueA(NULL, "SeLockMemoryPrivilege", &privileges.Privileges[0].Luid) &&
        AdjustTokenPrivileges(token, FALSE, &privileges, 0, NULL, NULL) &&
        GetLastError() == ERROR_SUCCESS; // the call also succeeds when it grants nothing
    CloseHandle(token);
    return is_granted;
}

void *mem_alloc_large(size_t bytes, bool *huge)
{
    const size_t size = mem_whole_pages(bytes);
    const bool is_possible = size > 0 && size <= mem_available();
    const bool can_be_huge = is_possible && GetLargePageMinimum() == HUGE_PAGE;
    void *const block =
        can_be_huge && claim_large_pages()
            ? VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES, PAGE_READWRITE)
            : NULL;
    if (huge)
        *huge = block != NULL;
    return block != NULL ? block : mem_alloc_sparse(bytes);
}

void *mem_alloc_sparse(size_t bytes)
{
    const size_t size = mem_whole_pages(bytes);
    const bool fits = size > 0 && (size <= HUGE_PAGE || size <= mem_available());
    char *const range =
        fits ? VirtualAlloc(NULL, size + HUGE_PAGE, MEM_RESERVE, PAGE_READWRITE) : NULL;
    void *const block =
        range ? VirtualAlloc(mem_align_up(range), size, MEM_COMMIT, PAGE_READWRITE) : NULL;
    if (range && !block)
        VirtualFree(range, 0, MEM_RELEASE);
    if (!block)
        errno = ENOMEM;
    return block;
}

void mem_free_large(void *block, size_t bytes)
{
    (void)bytes;
    MEMORY_BASIC_INFORMATION region;
    if (block && VirtualQuery(block, &region, sizeof region))
        VirtualFree(region.AllocationBase, 0, MEM_RELEASE);
}

void mem_zero_large(void *block, size_t bytes)
{
    memset(block, 0, bytes);
}

void mem_zero_sparse(void *from, size_t bytes)
{
    memset(from, 0, bytes);
}

void mem_touch(void *from, size_t bytes)
{
    mem_touch_pages(from, bytes);
}
