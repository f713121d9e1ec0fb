// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The messages between the processes of a cluster: a head with a checksum, then a body that depends
 * on the kind. Bodies are plain structs, because all processes run the same program (main.c
 * compares sizes at the start). Still each body is checked before use: a damaged or impossible
 * message is refused as a whole. */

#include "search/peers.h"
#include "tt/record.h"

typedef enum {
    MESSAGE_OPTION,      // from process 0: the arguments of `setoption`, with a NUL
    MESSAGE_CLEAR_TABLE, // from process 0: CLEAR_TABLE
    MESSAGE_CLEAR_GAME,  // from process 0: CLEAR_GAME
    MESSAGE_SEARCH,      // from process 0: a SearchJob
    MESSAGE_STOP,        // from process 0: end this search
    MESSAGE_QUIT,        // from process 0: end the program
    MESSAGE_RECORDS,     // from each process to all others: node counts, and results for the table
    MESSAGE_RESULT,      // to process 0: a PeerResult
    MESSAGE_NB
} MessageKind;

enum { MESSAGE_BODY_MAX = 8000 };

typedef struct {
    uint64_t checksum; // of the rest of the message
    uint32_t kind;
    uint32_t size;   // of the body, in bytes
    uint32_t search; // number of the search that it belongs to, from 1
    uint32_t zero;
    uint8_t body[MESSAGE_BODY_MAX];
} Message;

/* Begins the body of MESSAGE_RECORDS; `count` encoded records follow. */
typedef struct {
    uint64_t evaluation;     // eval_fingerprint() of the evaluation that gave the scores
    uint64_t nodes, tb_hits; // of the sender, in this search
    uint64_t count;
} RecordsHead;

enum { MESSAGE_RECORDS_MAX = (MESSAGE_BODY_MAX - (int)sizeof(RecordsHead)) / RECORD_SIZE };

/* Writes a message with a body of `size` bytes (0..MESSAGE_BODY_MAX). */
void message_write(Message *message, MessageKind kind, uint32_t search, const void *body,
                   size_t size);

/* Bytes to send. */
size_t message_bytes(const Message *message);

/* Returns true when `bytes` received bytes are a message as message_write() makes it. */
bool message_is_sound(const Message *message, size_t bytes);

/* Writes MESSAGE_RECORDS: the head and head->count records at `records`. */
void message_write_records(Message *message, uint32_t search, const RecordsHead *head,
                           const uint8_t *records);

/* Reads the head of a sound MESSAGE_RECORDS. Returns false when one of its records is impossible.
 */
bool message_read_records(const Message *message, RecordsHead *head);

/* Inserts the records of a message that message_read_records() accepted, as hashfile_load() does.
 * Returns how many were new to the table. */
uint64_t message_adopt_records(const Message *message, Tt *tt);

/* Reads a sound MESSAGE_SEARCH. Returns false when its position or its limits are impossible. The
 * job reports nothing. */
bool message_read_job(const Message *message, SearchJob *job);

/* Reads a sound MESSAGE_RESULT. Returns false when its line is not legal from `root` on, or its
 * score or depth is impossible. */
bool message_read_result(const Message *message, const Position *root, PeerResult *result);
