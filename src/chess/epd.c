// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/epd.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "chess/fen.h"

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, TEXT_BLANKS);
}

/* End of the word that starts at `text`. A ';' also ends a word. */
static const char *word_end(const char *text)
{
    while (*text != '\0' && *text != ';' && !text_is_blank(*text))
        text++;
    return text;
}

/* End of the operation that starts at `text`: its ';' or the end of the line. A ';' inside quotes
 * does not count. */
static const char *operation_end(const char *text)
{
    bool quoted = false;
    for (; *text != '\0' && (quoted || *text != ';'); text++)
        quoted ^= *text == '"';
    return text;
}

/* Copies the text between `from` and `to`, without blanks and quotes around it. False when it does
 * not fit. */
static bool copy_operand(const char *from, const char *to, char *out, size_t size)
{
    from = skip_blanks(from);
    while (to > from && text_is_blank(to[-1]))
        to--;
    if (*from == '"' && memchr(from + 1, '"', (size_t)(to - from - 1)) == to - 1) {
        from++;
        to--;
    }
    const size_t length = (size_t)(to - from);
    if (length >= size)
        return false;
    memcpy(out, from, length);
    out[length] = '\0';
    return true;
}

/* The text after the next `opcode` in the operations; NULL: there is none. */
static const char *find_opcode(const char *operations, const char *opcode)
{
    const size_t length = strlen(opcode);
    const char *text = skip_blanks(operations);
    while (*text != '\0') {
        const char *end = operation_end(text), *name_end = word_end(text);
        if ((size_t)(name_end - text) == length && memcmp(text, opcode, length) == 0 && length > 0)
            return name_end;
        text = skip_blanks(*end == ';' ? end + 1 : end);
    }
    return NULL;
}

/* As epd_operand(), for the text of the operations. */
static bool find_operand(const char *operations, const char *opcode, char *out, size_t size)
{
    const char *const operand = find_opcode(operations, opcode);
    return operand != NULL && copy_operand(operand, operation_end(operand), out, size);
}

bool epd_operand(const EpdRecord *record, const char *opcode, char *out, size_t size)
{
    return find_operand(record->operations, opcode, out, size);
}

static bool is_repeated(const EpdRecord *record, const char *opcode)
{
    const char *const operand = find_opcode(record->operations, opcode);
    return operand != NULL && find_opcode(operation_end(operand), opcode) != NULL;
}

bool epd_check_once(const EpdRecord *record, const char *const *opcodes, int count, char *error)
{
    for (int i = 0; i < count; i++)
        if (is_repeated(record, opcodes[i])) {
            snprintf(error, FEN_ERROR_MAX, "%s stands twice", opcodes[i]);
            return false;
        }
    return true;
}

/* Appends a word to the FEN in `fen`; false when it does not fit. */
static bool append_word(char *fen, size_t size, const char *word, size_t length)
{
    const size_t used = strlen(fen);
    if (length >= size - used - 1)
        return false;
    snprintf(fen + used, size - used, "%s%.*s", used > 0 ? " " : "", (int)length, word);
    return true;
}

/* Appends the clocks from the operations hmvc and fmvn, for a position without clock fields. */
static bool append_clocks(char *fen, size_t size, const char *operations)
{
    char clock[16];
    if (!find_operand(operations, "hmvc", clock, sizeof clock))
        snprintf(clock, sizeof clock, "0");
    if (!append_word(fen, size, clock, strlen(clock)))
        return false;
    return !find_operand(operations, "fmvn", clock, sizeof clock) ||
           append_word(fen, size, clock, strlen(clock));
}

bool epd_parse(EpdRecord *record, const char *line, bool chess960, char *error)
{
    char fen[2 * FEN_MAX] = "";
    const char *text = skip_blanks(line);
    int fields = 0;
    bool fits = true;
    while (fits && fields < 6) {
        const char *end = word_end(text);
        if (end == text || (fields >= 4 && !text_is_digit(*text)))
            break;
        fits = append_word(fen, sizeof fen, text, (size_t)(end - text));
        fields++;
        text = skip_blanks(end);
    }
    if (fits && fields < 4) {
        snprintf(error, FEN_ERROR_MAX, "an EPD position has four fields, this one %d", fields);
        return false;
    }
    fits = fits && strlen(text) < EPD_TEXT_MAX;
    if (!fits || (fields == 4 && !append_clocks(fen, sizeof fen, text))) {
        snprintf(error, FEN_ERROR_MAX, "the line is too long");
        return false;
    }
    if (!fen_parse(&record->pos, fen, chess960, error))
        return false;
    memcpy(record->operations, text, strlen(text) + 1);
    return true;
}

enum { SKIPPED_MAX = 1 << 20 };

/* Reads a line without its LF or CR LF; NUL bytes become blanks. Returns 1 on success, 0 at the end
 * of the file or after a read error, -1 when the line does not fit and was skipped. Of a line above
 * SKIPPED_MAX bytes, as in a file that is no text, only so many are skipped: the rest may take
 * minutes to read. */
static int read_line(FILE *file, char *line, size_t size)
{
    size_t length = 0;
    int c = fgetc(file);
    if (c == EOF)
        return 0;
    for (; c != '\n' && c != EOF && length < SKIPPED_MAX; c = fgetc(file), length++)
        if (length < size)
            line[length] = c == '\0' ? ' ' : (char)c;
    if (ferror(file))
        return 0;
    length -= length > 0 && length <= size && line[length - 1] == '\r';
    if (length >= size)
        return -1;
    line[length] = '\0';
    return 1;
}

bool epd_parse_any(EpdRecord *record, const char *line, bool *chess960, char *error)
{
    char repairs[FEN_ERROR_MAX];
    const bool is_good = epd_parse(record, line, *chess960, error);
    if (*chess960 || *error == '\0')
        return is_good;
    EpdRecord other;
    if (!epd_parse(&other, line, true, repairs) || *repairs != '\0')
        return is_good;
    *record = other;
    *chess960 = true;
    *error = '\0';
    return true;
}

/* Reads the next line that has a record into `line` (EPD_TEXT_MAX bytes); returns as epd_next(),
 * with the text of the record in `*text`. */
static int next_text(FILE *file, char *line, const char **text, char *error)
{
    while (true) {
        const int status = read_line(file, line, EPD_TEXT_MAX);
        if (status < 0)
            snprintf(error, FEN_ERROR_MAX, "a line is longer than %d bytes", EPD_TEXT_MAX - 1);
        if (status == 0 && ferror(file)) {
            snprintf(error, FEN_ERROR_MAX, "cannot be read further: %s", strerror(errno));
            return -1;
        }
        if (status <= 0)
            return status;
        if (strchr(line, '\r') != NULL) { // for example, line ends of old Macs
            snprintf(error, FEN_ERROR_MAX, "a carriage return in the middle of a line");
            return -1;
        }
        *text = skip_blanks(line + text_mark_length(line));
        if (**text != '\0' && **text != '#')
            return 1;
    }
}

int epd_next(FILE *file, EpdRecord *record, bool chess960, char *error)
{
    char line[EPD_TEXT_MAX];
    const char *text;
    const int status = next_text(file, line, &text, error);
    return status > 0 && !epd_parse(record, text, chess960, error) ? -1 : status;
}

int epd_next_exact(FILE *file, EpdRecord *record, bool chess960, char *error)
{
    const int status = epd_next(file, record, chess960, error);
    return status > 0 && *error != '\0' ? -1 : status;
}

int epd_next_any(FILE *file, EpdRecord *record, bool *chess960, char *error)
{
    char line[EPD_TEXT_MAX];
    const char *text;
    const int status = next_text(file, line, &text, error);
    return status > 0 && !epd_parse_any(record, text, chess960, error) ? -1 : status;
}
