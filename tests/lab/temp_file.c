// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/temp_file.h"

#include <stdio.h>
#include <unistd.h>

#include "whole_file.h"

const char FOUR_POSITIONS[] =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"A.1\";\n"
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"A.2\";\n"
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - id \"B.1\";\n"
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"plain\";\n";

const char *temp_file_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/palimpsest-lab-%ld", (long)getpid());
    return path;
}

const char *temp_file_write(const char *text)
{
    whole_file_write_text(temp_file_path(), text);
    return temp_file_path();
}

void temp_file_remove(void)
{
    unlink(temp_file_path());
}
