// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/message.h"

#include <assert.h>
#include <string.h>

#include "base/checksum.h"
#include "chess/movegen.h"
#include "chess/play.h"

enum { HEAD_SIZE = offsetof(Message, body) };

static_assert(sizeof(SearchJob) <= MESSAGE_BODY_MAX, "a job fits into a message");
static_assert(sizeof(PeerResult) <= MESSAGE_BODY_MAX, "a result fits into a message");

static uint64_t checksum_of(const Message *message)
{
    return checksum64(&message->kind, HEAD_SIZE - sizeof message->checksum + message->size);
}

void message_write(Message *message, MessageKind kind, uint32_t search, const void *body,
                   size_t size)
{
    assert(size <= MESSAGE_BODY_MAX);
    message->kind = kind;
    message->size = (uint32_t)size;
    message->search = search;
    message->zero = 0;
    if (size > 0)
        memcpy(message->body, body, size);
    message->checksum = checksum_of(message);
}

size_t message_bytes(const Message *message)
{
    return HEAD_SIZE + message->size;
}

bool message_is_sound(const Message *message, size_t bytes)
{
    return bytes >= HEAD_SIZE && message->kind < MESSAGE_NB && message->size <= MESSAGE_BODY_MAX &&
           bytes == message_bytes(message) && message->checksum == checksum_of(message);
}

void message_write_records(Message *message, uint32_t search, const RecordsHead *head,
                           const uint8_t *records)
{
    uint8_t body[MESSAGE_BODY_MAX];
    assert(head->count <= MESSAGE_RECORDS_MAX);
    const size_t size = (size_t)head->count * RECORD_SIZE;
    memcpy(body, head, sizeof *head);
    memcpy(body + sizeof *head, records, size);
    message_write(message, MESSAGE_RECORDS, search, body, sizeof *head + size);
}

static const uint8_t *record_at(const Message *message, uint64_t i)
{
    return message->body + sizeof(RecordsHead) + i * RECORD_SIZE;
}

bool message_read_records(const Message *message, RecordsHead *head)
{
    if (message->kind != MESSAGE_RECORDS || message->size < sizeof *head)
        return false;
    memcpy(head, message->body, sizeof *head);
    if (head->count > MESSAGE_RECORDS_MAX ||
        message->size != sizeof *head + head->count * RECORD_SIZE)
        return false;
    for (uint64_t i = 0; i < head->count; i++) {
        TtRecord record;
        bool is_first_level;
        if (!record_decode(record_at(message, i), &record, &is_first_level))
            return false;
    }
    return true;
}

uint64_t message_adopt_records(const Message *message, Tt *tt)
{
    RecordsHead head;
    uint64_t adopted = 0;
    memcpy(&head, message->body, sizeof head);
    for (uint64_t i = 0; i < head.count; i++) {
        TtRecord record;
        bool is_first_level;
        if (record_decode(record_at(message, i), &record, &is_first_level))
            adopted += tt_insert(tt, &record, is_first_level);
    }
    return adopted;
}

bool message_read_job(const Message *message, SearchJob *job)
{
    if (message->kind != MESSAGE_SEARCH || message->size != sizeof *job)
        return false;
    memcpy(job, message->body, sizeof *job);
    job->report = NULL;
    job->ctx = NULL;
    const Limits *const limits = &job->limits;
    const Path *const path = &job->path;
    return pos_check(&job->root) == NULL && path->count >= 1 && path->count <= PATH_GAME &&
           path->keys[path->count - 1] == job->root.key && limits->search_move_count >= 0 &&
           limits->search_move_count <= MAX_MOVES && job->multi_pv >= 1 &&
           job->multi_pv <= MULTI_PV_MAX;
}

static bool is_legal_line(const Position *root, const RootMove *line)
{
    Position pos = *root;
    if (line->pv_length < 1 || line->pv_length > MAX_PLY + 1 || line->pv[0] != line->move)
        return false;
    for (int i = 0; i < line->pv_length; i++) {
        if (!gen_is_legal(&pos, line->pv[i]))
            return false;
        pos_advance(&pos, line->pv[i]);
    }
    return true;
}

static bool is_score(Score score)
{
    return -SCORE_INF <= score && score <= SCORE_INF;
}

bool message_read_result(const Message *message, const Position *root, PeerResult *result)
{
    if (message->kind != MESSAGE_RESULT || message->size != sizeof *result)
        return false;
    memcpy(result, message->body, sizeof *result);
    const RootMove *const line = &result->line;
    if (line->pv_length == 0)
        return result->depth == 0;
    return result->depth >= 0 && result->depth <= MAX_DEPTH && line->depth >= 0 &&
           line->depth <= MAX_DEPTH && (unsigned)line->bound <= BOUND_EXACT &&
           is_score(line->score) && is_score(line->previous) && is_legal_line(root, line);
}
