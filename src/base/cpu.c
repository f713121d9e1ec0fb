// SPDX-License-Identifier: GPL-3.0-or-later
/* _FORTIFY_SOURCE makes library functions always inline. They then take the instruction sets of the
 * build, and the compiler refuses to inline them into functions marked CPU_ANY. */
#undef _FORTIFY_SOURCE

#include "base/cpu.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h> // also HWCAP_ATOMICS and the like
#endif

/* True when the compiler defines `macro` as 1. An undefined macro gives its own name as text. */
#define TEXT(x) #x
#define IS_ONE(macro) (TEXT(macro)[0] == '1')

#if defined(__x86_64__) || defined(__i386__)

int cpu_features(CpuFeature *features)
{
    int count = 0;
    __builtin_cpu_init();
#define FOUND(name, macro)                                                                         \
    features[count++] = (CpuFeature){name, __builtin_cpu_supports(name) != 0, IS_ONE(macro)}
    FOUND("sse3", __SSE3__);
    FOUND("ssse3", __SSSE3__);
    FOUND("sse4.1", __SSE4_1__);
    FOUND("sse4.2", __SSE4_2__);
    FOUND("popcnt", __POPCNT__);
    FOUND("avx", __AVX__);
    FOUND("avx2", __AVX2__);
    FOUND("bmi", __BMI__);
    FOUND("bmi2", __BMI2__);
    FOUND("fma", __FMA__);
    FOUND("avx512f", __AVX512F__);
    FOUND("avx512bw", __AVX512BW__);
    FOUND("avx512vnni", __AVX512VNNI__);
    FOUND("avx512vbmi2", __AVX512VBMI2__);
#undef FOUND
    return count;
}

void cpu_name(char *name)
{
    char text[49] = "";
    for (unsigned i = 0; i < 3; i++) {
        unsigned words[4] = {0};
        __get_cpuid(0x80000002 + i, &words[0], &words[1], &words[2], &words[3]);
        memcpy(&text[16 * i], words, sizeof words);
    }
    snprintf(name, CPU_TEXT_MAX, "%s", text + strspn(text, " ")); // some vendors centre the name
}

#else

int cpu_features(CpuFeature *features)
{
#if defined(__aarch64__) && defined(__linux__)
    const unsigned long found = getauxval(AT_HWCAP);
    features[0] = (CpuFeature){"lse", (found & HWCAP_ATOMICS) != 0, IS_ONE(__ARM_FEATURE_ATOMICS)};
    features[1] =
        (CpuFeature){"dotprod", (found & HWCAP_ASIMDDP) != 0, IS_ONE(__ARM_FEATURE_DOTPROD)};
    features[2] = (CpuFeature){"sve", (found & HWCAP_SVE) != 0, IS_ONE(__ARM_FEATURE_SVE)};
    features[3] =
        (CpuFeature){"sve2", (getauxval(AT_HWCAP2) & HWCAP2_SVE2) != 0, IS_ONE(__ARM_FEATURE_SVE2)};
    return 4;
#else
    (void)features;
    return 0;
#endif
}

void cpu_name(char *name)
{
    name[0] = '\0';
}

#endif

bool cpu_suffices(char *missing)
{
    CpuFeature features[CPU_FEATURES_MAX];
    const int count = cpu_features(features);
    size_t length = 0;
    missing[0] = '\0';
    for (int i = 0; i < count; i++)
        if (features[i].is_needed && !features[i].is_supported && length < CPU_TEXT_MAX)
            length += (size_t)snprintf(missing + length, CPU_TEXT_MAX - length, "%s%s",
                                       length > 0 ? " " : "", features[i].name);
    return missing[0] == '\0';
}
