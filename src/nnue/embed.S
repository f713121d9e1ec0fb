// SPDX-License-Identifier: GPL-3.0-or-later
/* Includes the file EVALFILE (a path in quotes) in the constant data of the program; see embed.h. */

#define JOIN(a, b) a##b
#define WITH_PREFIX(prefix, name) JOIN(prefix, name)
#define SYMBOL(name) WITH_PREFIX(__USER_LABEL_PREFIX__, name)

#if defined(__wasm__)
#define BEGIN(name) .hidden SYMBOL(name); .type SYMBOL(name), @object; SYMBOL(name):
#define END(name) .size SYMBOL(name), . - SYMBOL(name)
        .section .rodata.nnue, "", @
#elif defined(__ELF__)
#define BEGIN(name) .hidden SYMBOL(name); .type SYMBOL(name), %object; SYMBOL(name):
#define END(name) .size SYMBOL(name), . - SYMBOL(name)
        .section .rodata
#else
#define BEGIN(name) SYMBOL(name):
#define END(name)
#ifdef __APPLE__
        .const
#else
        .section .rdata, "dr"
#endif
#endif

        .globl SYMBOL(nnue_embedded)
        .globl SYMBOL(nnue_embedded_size)
        .balign 64
BEGIN(nnue_embedded)
        .incbin EVALFILE
1:
END(nnue_embedded)
        .balign 8
BEGIN(nnue_embedded_size)
        .quad 1b - SYMBOL(nnue_embedded)
END(nnue_embedded_size)

#ifdef __ELF__
        .section .note.GNU-stack, "", %progbits // no part of the program needs an executable stack
#endif
