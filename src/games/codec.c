// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/codec.h"

uint32_t codec_fail(Codec *codec)
{
    codec->has_failed = true;
    return 0;
}

uint32_t codec_number(Codec *codec, uint32_t number, uint32_t total)
{
    if (codec->is_writing) {
        range_write(&codec->writer, number, 1, total);
        return number;
    }
    number = range_peek(&codec->reader, total);
    if (number == total)
        return codec_fail(codec);
    range_take(&codec->reader, number, 1);
    return number;
}

uint32_t codec_choice(Codec *codec, uint32_t choice, const uint16_t *weights, uint32_t total)
{
    uint32_t from = 0;
    if (codec->is_writing) {
        for (uint32_t i = 0; i < choice; i++)
            from += weights[i];
        range_write(&codec->writer, from, weights[choice], total);
        return choice;
    }
    const uint32_t number = range_peek(&codec->reader, total);
    if (number == total)
        return codec_fail(codec);
    for (choice = 0; from + weights[choice] <= number; choice++)
        from += weights[choice];
    range_take(&codec->reader, from, weights[choice]);
    return choice;
}
