// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Limits of the control groups (containers) that a process of Linux is in, of both versions. The
 * limits of a group hold for the groups below it, too. `root` is the folder of all groups, `own`
 * the file that names the groups of this process; both are parameters for tests. */

#include <stdint.h>

#define CGROUP_ROOT "/sys/fs/cgroup"
#define CGROUP_OWN "/proc/self/cgroup"

/* Bytes that this process may still allocate; UINT64_MAX without a limit. */
uint64_t cgroup_memory_left(const char *root, const char *own);

/* Number of processors whose time this process may use, rounded up; UINT64_MAX without a limit. */
uint64_t cgroup_processors(const char *root, const char *own);
