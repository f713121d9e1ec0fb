// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/hashfile.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/minmax.h"
#include "base/record_log.h"
#include "chess/zobrist.h"
#include "tt/record.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied without conversion");

static const char MAGIC[] = "PALIHASH";

enum {
    VERSION = 2,
    RECORDS_MAX = (RECORD_LOG_MAX_SIZE - 1) / RECORD_SIZE, // in a block
    BLOCK_OVERHEAD = 7,                                    // bytes of length, checksum, letter
    FRAME_SIZE = 100,       // upper bound in bytes for magic, head and foot
    SLOTS_A_STEP = 1 << 14, // saving: slots between two calls of goes_on(); some 400 kB of the file
    BYTES_A_STEP = 1 << 20, // reading: bytes between two calls of goes_on()
    LOCK_WAIT_MS = 2000,    // longest wait for another process that writes the file
    LOCK_PAUSE_MS = 10,
    DEPTHS = 256
};

typedef struct {
    uint64_t version, zobrist, evaluation, min_depth;
} Head;

typedef struct {
    uint64_t records, moves;
} Foot;

/* Writes the reason of a failure and returns false. */
static bool refuse(char *error, const char *reason)
{
    snprintf(error, HASHFILE_ERROR_MAX, "%s", reason);
    return false;
}

static bool refuse_by_errno(char *error, const char *what)
{
    snprintf(error, HASHFILE_ERROR_MAX, "cannot be %s: %s", what,
             errno == EBUSY ? "another process is writing it" : strerror(errno));
    return false;
}

static bool goes_on(const HashFileTask *task, uint64_t done, uint64_t total)
{
    const bool goes = task->goes_on == NULL || task->goes_on(task->ctx, done, total);
    errno = 0; // ignore errors of the callback
    return goes;
}

/* A file being read. */
typedef struct {
    const HashFileTask *task;
    RecordReader blocks;
    size_t at;           // of the next record in the last block
    int64_t done, total; // bytes, in all passes
    int64_t checked_at;  // `done` at the last call of goes_on()
    HashFileSummary *sum;
    char *error;
} Reader;

static const char DAMAGED[] = "is damaged";

/* Returns the contents of the last block, or NULL when its letter or size is wrong. */
static const uint8_t *part_of(const Reader *r, char letter, size_t size)
{
    const uint8_t *const bytes = r->blocks.bytes;
    return r->blocks.size == 1 + size && bytes[0] == (uint8_t)letter ? bytes + 1 : NULL;
}

static bool check_head(Reader *r)
{
    Head head;
    const uint8_t *const bytes = r->blocks.bytes;
    if (r->blocks.size < 1 + sizeof head.version || bytes[0] != 'h')
        return refuse(r->error, DAMAGED);
    memcpy(&head.version, bytes + 1, sizeof head.version);
    if (head.version != VERSION) {
        snprintf(r->error, HASHFILE_ERROR_MAX,
                 "has version %" PRIu64 " of the file format, this program reads version %d",
                 head.version, VERSION);
        return false;
    }
    const uint8_t *const part = part_of(r, 'h', sizeof head);
    if (part == NULL)
        return refuse(r->error, DAMAGED);
    memcpy(&head, part, sizeof head);
    if (head.zobrist != zobrist_fingerprint())
        return refuse(r->error, "was made with other Zobrist keys");
    if (head.evaluation != r->task->evaluation)
        return refuse(r->error, "was made with another network");
    if (head.min_depth < 1 || head.min_depth > DEPTHS)
        return refuse(r->error, DAMAGED);
    r->sum->min_depth = (int)head.min_depth;
    return true;
}

/* The foot must agree with the records read, and must be the last block. */
static bool check_foot(Reader *r)
{
    Foot foot;
    const uint8_t *const part = part_of(r, 'f', sizeof foot);
    if (part == NULL)
        return refuse(r->error, DAMAGED);
    memcpy(&foot, part, sizeof foot);
    if (foot.records != r->sum->records || foot.moves != r->sum->moves)
        return refuse(r->error, "is damaged: records are missing");
    return record_log_read(&r->blocks) == RECORD_END ||
           refuse(r->error, "has extra bytes after its end");
}

/* Reads the next block. Returns false when it is damaged or missing. */
static bool read_block(Reader *r)
{
    errno = 0;
    switch (record_log_read(&r->blocks)) {
    case RECORD_OK: break;
    case RECORD_DAMAGED: return refuse(r->error, DAMAGED);
    default:
        return errno != 0 ? refuse_by_errno(r->error, "read") : refuse(r->error, "is cut short");
    }
    r->done += (int64_t)r->blocks.size;
    if (r->done - r->checked_at < BYTES_A_STEP)
        return true;
    r->checked_at = r->done;
    return goes_on(r->task, (uint64_t)r->done, (uint64_t)r->total) ||
           refuse(r->error, "was not read to its end: stopped");
}

/* Begins to read the open file. */
static bool begin_reading(Reader *r, FILE *stream)
{
    r->sum->records = r->sum->moves = 0;
    r->at = SIZE_MAX; // no block of records yet
    errno = 0;
    if (!record_log_begin_reading(&r->blocks, stream, MAGIC))
        return errno != 0 ? refuse_by_errno(r->error, "read")
                          : refuse(r->error, "is not a hash file of this program");
    return read_block(r) && check_head(r);
}

typedef enum { READ_RECORD, READ_END, READ_FAILED } ReadStep;

/* Reads the next record, or finds that the whole file was read and is intact. */
static ReadStep next_record(Reader *r, TtRecord *record, bool *is_first_level)
{
    while (r->at >= r->blocks.size) {
        if (!read_block(r))
            return READ_FAILED;
        if (r->blocks.bytes[0] == 'f')
            return check_foot(r) ? READ_END : READ_FAILED;
        if (r->blocks.bytes[0] != 'r' || r->blocks.size % RECORD_SIZE != 1) {
            refuse(r->error, DAMAGED);
            return READ_FAILED;
        }
        r->at = 1;
    }
    if (!record_decode(r->blocks.bytes + r->at, record, is_first_level)) {
        refuse(r->error, DAMAGED);
        return READ_FAILED;
    }
    r->at += RECORD_SIZE;
    r->sum->records++;
    r->sum->moves += record->data.bound == BOUND_NONE;
    return READ_RECORD;
}

/* Reads the open file from beginning to end; inserts its records into `tt`, unless that is NULL. */
static bool read_through(Reader *r, FILE *stream, Tt *tt)
{
    TtRecord record;
    bool is_first_level;
    ReadStep step = begin_reading(r, stream) ? READ_RECORD : READ_FAILED;
    while (step == READ_RECORD) {
        step = next_record(r, &record, &is_first_level);
        if (step == READ_RECORD && tt != NULL)
            tt_insert(tt, &record, is_first_level);
    }
    return step == READ_END;
}

/* The file that a save replaces, of which it keeps the records that the table does not have. */
typedef struct {
    FILE *stream; // NULL: there is none, or it is not kept
    Reader reader;
    HashFileTask task;   // of the reader
    HashFileSummary sum; // of the reader
    TtRecord record;     // the next one, if `has_record`
    bool is_first_level, has_record;
    bool is_faulty; // it could not be read to its end; the reader's `error` says why
} OldFile;

/* A file being written. */
typedef struct {
    const HashFileTask *task;
    uint64_t done, total; // progress at the last call of goes_on()
    RecordWriter blocks;
    HashFileSummary *sum;
    size_t size; // of the current block
    uint8_t bytes[RECORD_LOG_MAX_SIZE];
    OldFile old;
} Writer;

static bool saving_goes_on(Writer *w, uint64_t done, uint64_t total)
{
    w->done = done;
    w->total = total;
    return goes_on(w->task, done, total);
}

/* For the reader of the old file. */
static bool merging_goes_on(void *ctx, uint64_t done, uint64_t total)
{
    const Writer *const w = ctx;
    (void)done;
    (void)total;
    return goes_on(w->task, w->done, w->total);
}

static bool write_part(Writer *w, char letter, const void *bytes, size_t size)
{
    uint8_t part[64];
    part[0] = (uint8_t)letter;
    memcpy(part + 1, bytes, size);
    return record_log_append(&w->blocks, part, 1 + size);
}

static bool write_head(Writer *w, FILE *stream)
{
    const Head head = {.version = VERSION,
                       .zobrist = zobrist_fingerprint(),
                       .evaluation = w->task->evaluation,
                       .min_depth = (uint64_t)w->sum->min_depth};
    return record_log_begin_writing(&w->blocks, stream, MAGIC) &&
           write_part(w, 'h', &head, sizeof head);
}

/* Writes the current block of records, if it is not empty, and begins another. */
static bool flush_records(Writer *w)
{
    const bool is_good = w->size == 0 || record_log_append(&w->blocks, w->bytes, w->size);
    w->bytes[0] = 'r';
    w->size = 0;
    return is_good;
}

static bool write_record(Writer *w, const TtRecord *record, bool is_first_level)
{
    if (w->size == 0)
        w->size = 1;
    record_encode(record, is_first_level, w->bytes + w->size);
    w->size += RECORD_SIZE;
    w->sum->records++;
    w->sum->moves += record->data.bound == BOUND_NONE;
    return w->size + RECORD_SIZE <= RECORD_LOG_MAX_SIZE || flush_records(w);
}

/* Reads entry `index` in the form to save: the whole result, or only its move. Returns false when
 * the entry is not saved. An entry that a search writes at this moment may be torn. It is then
 * detected, or saved under a wrong key, which matches no position. */
static bool read_savable(Tt *tt, uint64_t index, int min_depth, TtRecord *record)
{
    const TtRecordState state = tt_record(tt, index, record);
    return (state == TT_RECORD_CURRENT || state == TT_RECORD_STALE) &&
           record->data.depth >= min_depth && record_make_lasting(record);
}

/* Returns the number of records that fit into a file of `bytes` bytes. */
static uint64_t record_room(int64_t bytes)
{
    const int64_t block = RECORDS_MAX * RECORD_SIZE + BLOCK_OVERHEAD;
    const int64_t room = bytes - FRAME_SIZE, rest = room % block - BLOCK_OVERHEAD;
    if (room <= 0)
        return 0;
    return (uint64_t)(room / block * RECORDS_MAX + (rest > 0 ? rest / RECORD_SIZE : 0));
}

/* The entries of a slot; is_saved[i]: records[i] belongs in the file. */
typedef struct {
    TtRecord records[2];
    bool is_saved[2];
} SlotRecords;

static void read_slot(Tt *tt, uint64_t slot, int min_depth, SlotRecords *saved)
{
    for (int i = 0; i < 2; i++)
        saved->is_saved[i] =
            read_savable(tt, 2 * slot + (uint64_t)i, min_depth, &saved->records[i]);
}

/* Reads a slot to write it: the least depth may be greater than that of the task. */
static void read_slot_to_write(const Writer *w, Tt *tt, uint64_t slot, SlotRecords *saved)
{
    read_slot(tt, slot, max_int(w->task->min_depth, w->sum->min_depth), saved);
}

/* Whether `a` makes `b` superfluous: at least as deep a result of the same position. */
static bool covers(const TtRecord *a, const TtRecord *b)
{
    return a->key == b->key && a->data.depth >= b->data.depth &&
           (a->data.bound != BOUND_NONE || b->data.bound == BOUND_NONE);
}

static bool is_among(const SlotRecords *saved, const TtRecord *old)
{
    return (saved->is_saved[0] && covers(&saved->records[0], old)) ||
           (saved->is_saved[1] && covers(&saved->records[1], old));
}

/* Reads the next record of the old file. Returns false when the file is faulty or goes_on() ended
 * the task. */
static bool advance_old(OldFile *old)
{
    const ReadStep step = next_record(&old->reader, &old->record, &old->is_first_level);
    old->has_record = step == READ_RECORD;
    old->is_faulty = step == READ_FAILED;
    return !old->is_faulty;
}

/* Begins to read the old file from its first record; does nothing without one. */
static bool begin_old(OldFile *old)
{
    if (old->stream == NULL)
        return true;
    if (begin_reading(&old->reader, old->stream))
        return advance_old(old);
    old->is_faulty = true;
    return false;
}

/* Adds the records of the old file that the table does not have to the counts by depth. */
static bool count_old(OldFile *old, Tt *tt, uint64_t counts[DEPTHS])
{
    if (!begin_old(old))
        return false;
    while (old->has_record) {
        SlotRecords saved;
        read_slot(tt, tt_slot_number(tt, old->record.key), old->task.min_depth, &saved);
        counts[old->record.data.depth] += !is_among(&saved, &old->record);
        if (!advance_old(old))
            return false;
    }
    return true;
}

/* Finds the least depth for which all results fit into the file: no less than that of the task, or
 * of the old file. Returns false when goes_on() ended the task or the old file is faulty. */
static bool choose_depth(Writer *w, Tt *tt)
{
    uint64_t counts[DEPTHS] = {0}, total = 0, most = 0;
    TtRecord record;
    const uint64_t entries = 2 * tt->slot_count, room = record_room(w->task->max_bytes);
    for (uint64_t i = 0; i < entries; i++) {
        if (i % (2 * SLOTS_A_STEP) == 0 && !saving_goes_on(w, i, 2 * entries))
            return false;
        if (read_savable(tt, i, w->task->min_depth, &record)) {
            counts[record.data.depth]++;
            most++;
        }
    }
    most += (uint64_t)w->old.sum.bytes / RECORD_SIZE;
    if (most > room && !count_old(&w->old, tt, counts))
        return false;
    int least = w->task->min_depth;
    if (w->old.stream != NULL && w->old.sum.min_depth < least)
        least = w->old.sum.min_depth;
    int depth = DEPTHS;
    while (depth > least && (most <= room || total + counts[depth - 1] <= room))
        total += counts[--depth];
    w->sum->min_depth = depth;
    return true;
}

/* Writes the current record of the old file, if it belongs in the new one and the table has no
 * such result in `saved`, the records of its slot. Drops from `saved` the results that it makes
 * superfluous. */
static bool write_old_record(Writer *w, uint64_t room, SlotRecords *saved)
{
    const TtRecord *const record = &w->old.record;
    if (record->data.depth < w->sum->min_depth || w->sum->records >= room ||
        is_among(saved, record))
        return true;
    for (int i = 0; i < 2; i++)
        if (saved->is_saved[i] && covers(record, &saved->records[i]))
            saved->is_saved[i] = false;
    return write_record(w, record, w->old.is_first_level);
}

/* Writes the records of the old file up to `slot`, except those that the table has. In the file the
 * keys ascend, except within a slot of the table that wrote it. So if this table has another size,
 * a record may belong to a slot before `slot`, which is already written. */
static bool write_old(Writer *w, Tt *tt, uint64_t slot, uint64_t room, SlotRecords *saved)
{
    OldFile *const old = &w->old;
    while (old->has_record) {
        const uint64_t own = tt_slot_number(tt, old->record.key);
        SlotRecords late;
        if (own > slot)
            break;
        if (own < slot)
            read_slot_to_write(w, tt, own, &late);
        if (!write_old_record(w, room, own < slot ? &late : saved) || !advance_old(old))
            return false;
    }
    return true;
}

/* Writes all records, but no more than fit: a search may add some at the same time. Returns false
 * on a write error, when the old file is faulty, or with errno 0 when goes_on() ended the task. */
static bool write_records(Writer *w, Tt *tt)
{
    const uint64_t slots = tt->slot_count, room = record_room(w->task->max_bytes);
    if (!begin_old(&w->old))
        return false;
    for (uint64_t slot = 0; slot < slots; slot++) {
        SlotRecords saved;
        errno = 0;
        if (slot % SLOTS_A_STEP == 0 && !saving_goes_on(w, slots + slot, 2 * slots))
            return false;
        read_slot_to_write(w, tt, slot, &saved);
        if (!write_old(w, tt, slot, room, &saved))
            return false;
        for (int i = 0; i < 2; i++)
            if (saved.is_saved[i] && w->sum->records < room &&
                !write_record(w, &saved.records[i], i == 0))
                return false;
    }
    return flush_records(w);
}

static bool write_file(Writer *w, Tt *tt, FILE *stream)
{
    if (!write_head(w, stream) || !flush_records(w) || !write_records(w, tt))
        return false;
    const Foot foot = {.records = w->sum->records, .moves = w->sum->moves};
    return write_part(w, 'f', &foot, sizeof foot);
}

/* Returns true when the table can be saved and `path` is free or a regular file; only such a file
 * may be replaced. */
static bool may_save(const char *path, const Tt *tt, char *error)
{
    const FileKind kind = file_kind(path, NULL);
    if (!tt_has_whole_keys(tt))
        return refuse(error, "cannot be written: a table of 1 MiB cannot be saved, set Hash "
                             "to 2 or more");
    return kind == FILE_MISSING || kind == FILE_REGULAR || refuse(error, "is not a regular file");
}

bool hashfile_is_one(const char *path)
{
    return file_begins_with(path, MAGIC, sizeof MAGIC - 1);
}

bool hashfile_can_save(const char *path, const Tt *tt, char *error)
{
    return may_save(path, tt, error) && (file_can_save(path) || refuse_by_errno(error, "written"));
}

/* Begins a draft of the file. If the old file is kept, waits until no other process writes it. */
static bool begin_draft(FileDraft *draft, const HashFileTask *task)
{
    const int64_t end_ms = clock_ms() + LOCK_WAIT_MS; // a pause may last longer than LOCK_PAUSE_MS
    while (!file_draft(draft, task->path)) {
        if (!task->keeps_old || errno != EBUSY || clock_ms() >= end_ms)
            return false;
        if (!goes_on(task, 0, 1)) {
            errno = EBUSY;
            return false;
        }
        clock_sleep_ms(LOCK_PAUSE_MS);
    }
    return true;
}

/* Opens the file that is replaced, if there is one to keep. */
static bool open_old(Writer *w, char *error)
{
    OldFile *const old = &w->old;
    if (!w->task->keeps_old || file_kind(w->task->path, &old->sum.bytes) != FILE_REGULAR ||
        old->sum.bytes == 0)
        return true;
    old->task = (HashFileTask){.evaluation = w->task->evaluation,
                               .min_depth = w->task->min_depth,
                               .goes_on = merging_goes_on,
                               .ctx = w};
    old->reader = (Reader){.task = &old->task, .sum = &old->sum, .error = error};
    old->stream = file_open(w->task->path, "rb");
    if (old->stream == NULL)
        return false;
    old->is_faulty = !begin_reading(&old->reader, old->stream);
    return !old->is_faulty;
}

/* Completes the reason why the file was not saved. */
static bool refuse_to_save(char *error, bool is_old_faulty)
{
    char reason[HASHFILE_ERROR_MAX];
    if (!is_old_faulty)
        return errno == 0 ? refuse(error, "is not written: stopped")
                          : refuse_by_errno(error, "written");
    memcpy(reason, error, sizeof reason);
    snprintf(error, HASHFILE_ERROR_MAX, "%.200s; it stays as it is", reason);
    return false;
}

bool hashfile_save(const HashFileTask *task, Tt *tt, HashFileSummary *out, char *error)
{
    FileDraft draft;
    *out = (HashFileSummary){.min_depth = task->min_depth};
    if (!may_save(task->path, tt, error))
        return false;
    if (!begin_draft(&draft, task))
        return refuse_by_errno(error, "written");
    Writer *const w = malloc(sizeof *w);
    bool is_good = w != NULL, is_old_faulty = false;
    if (is_good) {
        *w = (Writer){.task = task, .sum = out};
        is_good = open_old(w, error);
        errno = is_good ? 0 : errno;
        is_good = is_good && choose_depth(w, tt) && write_file(w, tt, draft.stream);
        is_old_faulty = w->old.is_faulty;
    }
    if (w != NULL && w->old.stream != NULL)
        fclose(w->old.stream);
    free(w);
    if (!is_good)
        file_discard(&draft);
    if (is_good && file_publish(&draft) && file_kind(task->path, &out->bytes) == FILE_REGULAR)
        return true;
    return refuse_to_save(error, is_old_faulty);
}

/* Reads the file to verify it. If `tt` is not NULL, then reads it again into the table. */
static bool read_file(Reader *r, FILE *stream, Tt *tt)
{
    r->total = r->sum->bytes * (tt != NULL ? 2 : 1);
    if (!read_through(r, stream, NULL))
        return false;
    if (tt == NULL || read_through(r, stream, tt))
        return true;
    char reason[HASHFILE_ERROR_MAX];
    memcpy(reason, r->error, sizeof reason);
    snprintf(r->error, HASHFILE_ERROR_MAX, "%.200s; part of it was loaded", reason);
    return false;
}

static bool read_at(const HashFileTask *task, Tt *tt, HashFileSummary *out, char *error)
{
    *out = (HashFileSummary){.bytes = 0};
    const FileKind kind = file_kind(task->path, &out->bytes);
    if (kind == FILE_FOLDER || kind == FILE_OTHER)
        return refuse(error, "is not a regular file");
    if (kind == FILE_REGULAR && out->bytes == 0)
        return refuse(error, "is empty");
    FILE *const stream = file_open(task->path, "rb");
    Reader *const r = malloc(sizeof *r);
    bool is_good = stream != NULL && r != NULL;
    if (!is_good)
        refuse_by_errno(error, "read");
    if (is_good) {
        *r = (Reader){.task = task, .sum = out, .error = error};
        is_good = read_file(r, stream, tt);
    }
    if (stream != NULL)
        fclose(stream);
    free(r);
    return is_good;
}

bool hashfile_verify(const HashFileTask *task, HashFileSummary *out, char *error)
{
    return read_at(task, NULL, out, error);
}

bool hashfile_load(const HashFileTask *task, Tt *tt, HashFileSummary *out, char *error)
{
    return read_at(task, tt, out, error);
}
