// SPDX-License-Identifier: GPL-3.0-or-later
/* logo WIDTH HEIGHT FILE.bmp: draws the engine's logo: a rook on a page where older writing shows
 * through. All lengths are in units of the height, so the logo can have any size. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 4, HEADER = 54, SIZE_MAX_SIDE = 4096 };

typedef struct {
    double red, green, blue;
} Colour;

static Colour mix(Colour a, Colour b, double share)
{
    return (Colour){a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
                    a.blue + (b.blue - a.blue) * share};
}

static bool is_within(double x, double from, double to)
{
    return from <= x && x < to;
}

/* True inside the rook: y from 0 (top) to 1 (bottom), its axis at x = 0. */
static bool is_rook(double x, double y)
{
    const double side = fabs(x);
    if (is_within(y, 0.14, 0.24)) // battlements
        return side < 0.05 || is_within(side, 0.12, 0.22);
    if (is_within(y, 0.24, 0.34))
        return side < 0.22;
    if (is_within(y, 0.34, 0.70)) // the tower widens downwards
        return side < 0.13 + 0.06 * (y - 0.34) / 0.36;
    if (is_within(y, 0.73, 0.80))
        return side < 0.24;
    return is_within(y, 0.80, 0.90) && side < 0.29;
}

/* True on a stroke of the writing: lines `period` apart, inclined by `slope`, with gaps between
 * words. */
static bool is_writing(double x, double y, double slope, double period)
{
    const double line = (y + slope * x) / period;
    const double along = x / period + 2.3 * floor(line);
    const double stroke = 0.5 + 0.16 * sin(21 * along);
    return fabs(line - floor(line) - stroke) < 0.09 && fmod(fabs(along), 3.7) > 0.6;
}

static Colour colour_at(double x, double y, double aspect)
{
    const Colour page = {243, 230, 200}, shade = {214, 190, 146}, old = {190, 164, 122},
                 newer = {146, 112, 76}, ink = {58, 34, 22};
    const double middle = aspect / 2;
    const double edge = fmin(fmin(x, aspect - x), fmin(y, 1 - y));
    Colour colour = mix(shade, page, fmin(1, edge / 0.18));
    if (is_writing(y, x, 0.05, 0.17)) // the older text runs across the newer
        colour = mix(colour, old, 0.55);
    if (is_writing(x, y, 0, 0.14) && fabs(x - middle) > 0.36)
        colour = mix(colour, newer, 0.8);
    return is_rook(x - middle, y) ? ink : colour;
}

static Colour pixel(int column, int row, int width, int height)
{
    Colour sum = {0, 0, 0};
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        const double x = (column + (i % SAMPLES + 0.5) / SAMPLES) / height;
        const double y = (row + (i / SAMPLES + 0.5) / SAMPLES) / height;
        const Colour one = colour_at(x, y, (double)width / height);
        sum = (Colour){sum.red + one.red, sum.green + one.green, sum.blue + one.blue};
    }
    const double parts = SAMPLES * SAMPLES;
    return (Colour){sum.red / parts, sum.green / parts, sum.blue / parts};
}

static void put(FILE *file, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(number >> 8 * i & 255), file);
}

static void write_header(FILE *file, int width, int height, uint32_t size)
{
    fputs("BM", file);
    put(file, HEADER + size, 4);
    put(file, 0, 4);
    put(file, HEADER, 4);
    put(file, 40, 4);
    put(file, (uint32_t)width, 4);
    put(file, (uint32_t)height, 4);
    put(file, 1, 2);
    put(file, 24, 2);
    put(file, 0, 4);
    put(file, size, 4);
    put(file, 2835, 4); // dots a metre: 72 an inch
    put(file, 2835, 4);
    put(file, 0, 4); // no palette
    put(file, 0, 4);
}

int main(int argc, char **argv)
{
    const long width = argc == 4 ? strtol(argv[1], NULL, 10) : 0;
    const long height = argc == 4 ? strtol(argv[2], NULL, 10) : 0;
    if (width < 1 || width > SIZE_MAX_SIDE || height < 1 || height > SIZE_MAX_SIDE) {
        fputs("usage: logo WIDTH HEIGHT FILE.bmp\n", stderr);
        return EXIT_FAILURE;
    }
    FILE *const file = fopen(argv[3], "wb");
    if (file == NULL) {
        perror(argv[3]);
        return EXIT_FAILURE;
    }
    const int padding = (int)(-3 * width & 3); // to whole words of 4 bytes; the lowest row is first
    write_header(file, (int)width, (int)height, (uint32_t)((3 * width + padding) * height));
    for (int row = (int)height - 1; row >= 0; row--) {
        for (int column = 0; column < width; column++) {
            const Colour c = pixel(column, row, (int)width, (int)height);
            put(file, (uint32_t)c.blue | (uint32_t)c.green << 8 | (uint32_t)c.red << 16, 3);
        }
        put(file, 0, padding);
    }
    return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
