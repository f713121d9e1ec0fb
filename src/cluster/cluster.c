// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/cluster.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/thread.h"
#include "chess/zobrist.h"
#include "cluster/outbox.h"
#include "eval/built_in.h"
#include "search/params.h"
#include "uci/options.h"
#include "uci/program.h"

enum {
    POLL_MIN_US = 50,    // least time between two polls of the network
    BUSY_POLL_US = 1000, // greatest during a search
    IDLE_POLL_US = 5000, // greatest without a search
    POLLS_IN_TIME = 100, // between these, the time since a search began or ended, divided by this
    STATUS_MS = 50,      // longest time between two messages with the node count
    RESULT_WAIT_MS = 50, // longest wait for the results of the others at the end of a search
};

/* A message in a queue. */
typedef struct Queued {
    struct Queued *next;
    Message message;
} Queued;

typedef struct {
    Queued *first, *last;
} Queue;

/* What is known of another process. */
typedef struct {
    uint32_t begun;    // number of the last search that it began, as its matching records say
    uint32_t finished; // number of the search of `result`
    uint64_t nodes, tb_hits;
    PeerResult result;
} Other;

struct Cluster {
    SearchPeers peers; // first: the engine knows only this part
    int rank, count;
    Engine *engine;
    Mutex lock;            // protects the fields down to `others`
    Cond outgoing_arrived; // a message was queued
    Cond incoming_arrived; // an order or a result has arrived
    Queue *outgoing;       // [count], one for each receiver
    Queue incoming;
    bool has_outgoing;   // a message was queued since the last cluster_wait()
    int64_t changed_us;  // clock_us() when a search last began or ended
    uint32_t search;     // number of the running or last search
    uint32_t stopped_to; // searches up to this number must end
    bool is_searching;   // a search of all processes runs, and the table may be used
    bool is_over;
    bool has_old_evaluation; // `evaluation` must be computed again
    uint64_t evaluation;     // eval_fingerprint()
    Position root;
    int64_t sent_ms; // clock_ms() of the last MESSAGE_RECORDS
    ClusterCounts counts;
    Other *others;       // [count]; that of this process is unused
    PeerResult *results; // [count]; what the last search_end() returned
    _Atomic uint64_t dropped;
    _Atomic int outbox_count;            // outboxes used so far
    Outbox outboxes[ENGINE_MAX_THREADS]; // one for each worker
};

/* Appends a copy of the message. When memory is short, the message is lost, as on a bad network.
 * The lock is held. */
static void append(Queue *queue, Cond *arrived, const Message *message)
{
    const size_t bytes = message_bytes(message); // most messages are far below sizeof(Message)
    Queued *const queued = malloc(offsetof(Queued, message) + bytes);
    if (queued == NULL)
        return;
    queued->next = NULL;
    memcpy(&queued->message, message, bytes);
    if (queue->first == NULL)
        queue->first = queued;
    else
        queue->last->next = queued;
    queue->last = queued;
    cond_broadcast(arrived);
}

/* Removes the first message; NULL when there is none. The caller frees it. The lock is held. */
static Queued *remove_first(Queue *queue)
{
    Queued *const queued = queue->first;
    if (queued != NULL)
        queue->first = queued->next;
    return queued;
}

/* Queues an order for all other processes, or a result for process 0. The lock is held. */
static void post(Cluster *cluster, MessageKind kind, const void *body, size_t size)
{
    Message message;
    if (cluster->count == 1)
        return;
    message_write(&message, kind, cluster->search, body, size);
    const int last = cluster->rank == 0 ? cluster->count - 1 : 0;
    for (int to = 0; to <= last; to++)
        if (to != cluster->rank)
            append(&cluster->outgoing[to], &cluster->outgoing_arrived, &message);
    cluster->has_outgoing = true;
    cluster->counts.messages_sent++;
}

/* -- Called by the engine ---------------------------------------------------------------------- */

static Cluster *cluster_of(SearchPeers *peers)
{
    return (Cluster *)peers; // its first member
}

/* Adds up the counts of the other processes. Only process 0 shows them, and applies `go nodes`. The
 * lock is held. */
static void sum_nodes(Cluster *cluster)
{
    uint64_t nodes = 0, tb_hits = 0;
    for (int i = 0; i < cluster->count; i++) {
        nodes += cluster->others[i].nodes;
        tb_hits += cluster->others[i].tb_hits;
    }
    atomic_store(&cluster->peers.nodes, cluster->rank == 0 ? nodes : 0);
    atomic_store(&cluster->peers.tb_hits, cluster->rank == 0 ? tb_hits : 0);
}

/* Takes up to MESSAGE_RECORDS_MAX records from the outboxes. The lock is held. */
static uint64_t take_records(Cluster *cluster, uint8_t *bytes)
{
    uint64_t count = 0;
    TtRecord record;
    const int boxes = atomic_load_explicit(&cluster->outbox_count, memory_order_relaxed);
    for (int i = 0; i < boxes; i++)
        while (count < MESSAGE_RECORDS_MAX && outbox_take(&cluster->outboxes[i], &record))
            record_encode(&record, true, bytes + RECORD_SIZE * count++);
    return count;
}

/* SearchPeers.start. All processes take part in a search at full strength; else process 0 is alone.
 */
static void search_start(SearchPeers *peers, const SearchJob *job)
{
    Cluster *const cluster = cluster_of(peers);
    uint8_t old[MESSAGE_RECORDS_MAX * RECORD_SIZE];
    mutex_lock(&cluster->lock);
    while (take_records(cluster, old) > 0)
        ;                 // drop what is left of the last search
    cluster->sent_ms = 0; // send a message at once: it says that this process has begun
    if (cluster->has_old_evaluation)
        cluster->evaluation = eval_fingerprint(engine_eval_source(cluster->engine));
    cluster->has_old_evaluation = false;
    cluster->root = job->root;
    for (int i = 0; i < cluster->count; i++)
        cluster->others[i].nodes = cluster->others[i].tb_hits = 0;
    sum_nodes(cluster);
    cluster->is_searching = strength_is_full(&job->strength);
    cluster->changed_us = clock_us();
    if (cluster->rank == 0)
        cluster->search++; // also if it is alone: late results of the search before must not count
    if (cluster->rank == 0 && cluster->is_searching)
        post(cluster, MESSAGE_SEARCH, job, sizeof *job);
    mutex_unlock(&cluster->lock);
}

/* SearchPeers.offer. */
static void search_offer(SearchPeers *peers, int index, const TtRecord *record)
{
    Cluster *const cluster = cluster_of(peers);
    TtRecord lasting = *record;
    int count = atomic_load_explicit(&cluster->outbox_count, memory_order_relaxed);
    while (count <= index &&
           !atomic_compare_exchange_weak_explicit(&cluster->outbox_count, &count, index + 1,
                                                  memory_order_relaxed, memory_order_relaxed))
        ; // another worker changed it: `count` is its new value
    if (record_make_lasting(&lasting) && !outbox_put(&cluster->outboxes[index], &lasting))
        atomic_fetch_add_explicit(&cluster->dropped, 1, memory_order_relaxed);
}

/* True when a process that has begun this search has not sent its result yet. The lock is held. */
static bool awaits_result(const Cluster *cluster)
{
    for (int i = 1; i < cluster->count; i++)
        if (cluster->others[i].begun == cluster->search &&
            cluster->others[i].finished != cluster->search)
            return true;
    return false;
}

/* SearchPeers.end. A process that is late, or has not even begun, has no vote. */
static int search_end(SearchPeers *peers, const PeerResult **results)
{
    Cluster *const cluster = cluster_of(peers);
    const int64_t deadline_ms = clock_ms() + RESULT_WAIT_MS;
    int count = 0;
    mutex_lock(&cluster->lock);
    const bool collects = cluster->is_searching && cluster->rank == 0;
    cluster->is_searching = false;
    cluster->changed_us = clock_us();
    if (collects)
        post(cluster, MESSAGE_STOP, NULL, 0);
    bool has_time = collects;
    while (has_time && awaits_result(cluster))
        has_time = cond_wait_until(&cluster->incoming_arrived, &cluster->lock, deadline_ms);
    for (int i = 1; collects && i < cluster->count; i++)
        if (cluster->others[i].finished == cluster->search)
            cluster->results[count++] = cluster->others[i].result;
    mutex_unlock(&cluster->lock);
    *results = cluster->results;
    return count;
}

/* SearchPeers.clear. */
static void search_clear(SearchPeers *peers, PeersClear what)
{
    Cluster *const cluster = cluster_of(peers);
    mutex_lock(&cluster->lock);
    if (cluster->rank == 0)
        post(cluster, what == CLEAR_TABLE ? MESSAGE_CLEAR_TABLE : MESSAGE_CLEAR_GAME, NULL, 0);
    mutex_unlock(&cluster->lock);
}

Cluster *cluster_create(int rank, int count, int min_depth)
{
    Cluster *const cluster = calloc(1, sizeof *cluster);
    if (cluster == NULL)
        return NULL;
    cluster->peers = (SearchPeers){.min_depth = min_depth,
                                   .start = search_start,
                                   .offer = search_offer,
                                   .end = search_end,
                                   .clear = search_clear};
    cluster->rank = rank;
    cluster->count = count;
    cluster->has_old_evaluation = true;
    cluster->others = calloc((size_t)count, sizeof *cluster->others);
    cluster->results = calloc((size_t)count, sizeof *cluster->results);
    cluster->outgoing = calloc((size_t)count, sizeof *cluster->outgoing);
    mutex_init(&cluster->lock);
    cond_init(&cluster->outgoing_arrived);
    cond_init(&cluster->incoming_arrived);
    if (cluster->others != NULL && cluster->results != NULL && cluster->outgoing != NULL)
        return cluster;
    cluster_destroy(cluster);
    return NULL;
}

static void empty(Queue *queue)
{
    Queued *queued;
    while ((queued = remove_first(queue)) != NULL)
        free(queued);
}

void cluster_destroy(Cluster *cluster)
{
    for (int i = 0; cluster->outgoing != NULL && i < cluster->count; i++)
        empty(&cluster->outgoing[i]);
    empty(&cluster->incoming);
    cond_destroy(&cluster->incoming_arrived);
    cond_destroy(&cluster->outgoing_arrived);
    mutex_destroy(&cluster->lock);
    free(cluster->others);
    free(cluster->results);
    free(cluster->outgoing);
    free(cluster);
}

ClusterCounts cluster_counts(Cluster *cluster)
{
    mutex_lock(&cluster->lock);
    ClusterCounts counts = cluster->counts;
    mutex_unlock(&cluster->lock);
    counts.dropped = atomic_load(&cluster->dropped);
    return counts;
}

uint64_t cluster_signature(void)
{
    const EvalSource built_in = built_in_eval();
    enum { TABLE_KEYS = 3 }; // rises when table_key() or Position.key changes
    const uint64_t parts[] = {TABLE_KEYS,
                              checksum64(UCI_VERSION, sizeof UCI_VERSION),
                              checksum64(&params, sizeof params),
                              zobrist_fingerprint(),
                              eval_fingerprint(&built_in),
                              sizeof(Message),
                              sizeof(SearchJob),
                              sizeof(PeerResult),
                              sizeof(RecordsHead),
                              RECORD_SIZE};
    return checksum64(parts, sizeof parts);
}

/* -- Working thread ---------------------------------------------------------------------------- */

void cluster_connect(Cluster *cluster, Engine *engine)
{
    cluster->engine = engine;
    if (cluster->count > 1)
        engine_set_peers(engine, &cluster->peers);
}

/* Sends the arguments of `setoption` if all processes need the option. Returns as
 * cluster_command(). */
static const char *send_option(Cluster *cluster, const char *arguments)
{
    const size_t size = strlen(arguments) + 1;
    char *const copy = strdup(arguments);
    char *name, *value;
    const Option *const option =
        copy != NULL && options_split(copy, &name, &value) ? options_find(name) : NULL;
    const bool is_shared = option != NULL && option->is_shared;
    free(copy);
    if (!is_shared)
        return NULL;
    cluster->has_old_evaluation = true;
    if (cluster->count > 1 && size > MESSAGE_BODY_MAX)
        return "the value is too long for the other processes, which keep the old one";
    post(cluster, MESSAGE_OPTION, arguments, size);
    return NULL;
}

const char *cluster_command(Cluster *cluster, const char *name, const char *arguments)
{
    mutex_lock(&cluster->lock);
    const char *const error =
        strcmp(name, "setoption") == 0 ? send_option(cluster, arguments) : NULL;
    mutex_unlock(&cluster->lock);
    return error;
}

void cluster_quit(Cluster *cluster)
{
    mutex_lock(&cluster->lock);
    post(cluster, MESSAGE_QUIT, NULL, 0);
    cluster->is_over = true;
    mutex_unlock(&cluster->lock);
}

/* Waits for the next order of process 0; the caller frees it. */
static Queued *next_order(Cluster *cluster)
{
    Queued *queued;
    mutex_lock(&cluster->lock);
    while ((queued = remove_first(&cluster->incoming)) == NULL)
        cond_wait(&cluster->incoming_arrived, &cluster->lock);
    mutex_unlock(&cluster->lock);
    return queued;
}

/* Removes the limits, because only process 0 ends the search. A search with limits becomes one that
 * ponders, not an infinite one: that would count as analysis, in which table entries do not age. */
static void remove_limits(SearchJob *job)
{
    Limits *const limits = &job->limits;
    limits->ponder = !limits->infinite;
    limits->has_clock = limits->has_move_time = false;
    limits->depth = limits->mate = 0;
    limits->nodes = limits->soft_nodes = 0;
    job->nodes_per_ms = 0;
}

static void count_refused(Cluster *cluster)
{
    mutex_lock(&cluster->lock);
    cluster->counts.refused++;
    mutex_unlock(&cluster->lock);
}

/* Searches until process 0 says stop, and sends the result. */
static void follow_search(Cluster *cluster, Engine *engine, const Message *order)
{
    SearchJob job;
    PeerResult result;
    if (!message_read_job(order, &job)) {
        count_refused(cluster);
        return;
    }
    remove_limits(&job);
    mutex_lock(&cluster->lock);
    cluster->search = order->search;
    mutex_unlock(&cluster->lock);
    engine_start(engine, &job);
    mutex_lock(&cluster->lock);
    const bool is_stopped = cluster->stopped_to >= cluster->search;
    mutex_unlock(&cluster->lock);
    if (is_stopped)
        engine_stop(engine);
    engine_wait(engine);
    engine_result(engine, &result);
    mutex_lock(&cluster->lock);
    post(cluster, MESSAGE_RESULT, &result, sizeof result);
    mutex_unlock(&cluster->lock);
}

/* Messages of an option go to stderr: only process 0 speaks UCI. */
static void follow_option(Cluster *cluster, Settings *settings, Message *order)
{
    if (order->size == 0 || order->body[order->size - 1] != '\0') {
        count_refused(cluster);
        return;
    }
    cluster->has_old_evaluation = true; // no search runs
    options_set(settings, (char *)order->body);
}

void cluster_follow(Cluster *cluster, Engine *engine)
{
    Output out;
    Settings settings;
    MessageKind kind = MESSAGE_NB;
    output_init(&out);
    out.stream = stderr;
    options_init(&settings, engine, &out);
    engine_set_keeps_table(engine, true); // a new game clears the table only by MESSAGE_CLEAR_TABLE
    while (kind != MESSAGE_QUIT) {
        Queued *const order = next_order(cluster);
        kind = (MessageKind)order->message.kind;
        switch (kind) {
        case MESSAGE_OPTION: follow_option(cluster, &settings, &order->message); break;
        case MESSAGE_CLEAR_TABLE: engine_clear_hash(engine); break;
        case MESSAGE_CLEAR_GAME: engine_new_game(engine); break;
        case MESSAGE_SEARCH: follow_search(cluster, engine, &order->message); break;
        default: break;
        }
        free(order);
    }
    mutex_lock(&cluster->lock);
    cluster->is_over = true;
    mutex_unlock(&cluster->lock);
}

/* -- Network thread ---------------------------------------------------------------------------- */

void cluster_wait(Cluster *cluster)
{
    mutex_lock(&cluster->lock);
    const int64_t most = cluster->is_searching ? BUSY_POLL_US : IDLE_POLL_US;
    int64_t wait_us = (clock_us() - cluster->changed_us) / POLLS_IN_TIME;
    wait_us = wait_us < POLL_MIN_US ? POLL_MIN_US : wait_us > most ? most : wait_us;
    if (!cluster->has_outgoing)
        cond_wait_us(&cluster->outgoing_arrived, &cluster->lock, wait_us);
    cluster->has_outgoing = false;
    mutex_unlock(&cluster->lock);
}

bool cluster_take_queued(Cluster *cluster, int to, Message *message)
{
    mutex_lock(&cluster->lock);
    Queued *const queued = remove_first(&cluster->outgoing[to]);
    mutex_unlock(&cluster->lock);
    if (queued == NULL)
        return false;
    memcpy(message, &queued->message, message_bytes(&queued->message));
    free(queued);
    return true;
}

bool cluster_take_records(Cluster *cluster, Message *message)
{
    uint8_t bytes[MESSAGE_RECORDS_MAX * RECORD_SIZE];
    mutex_lock(&cluster->lock);
    RecordsHead head = {.count = take_records(cluster, bytes)};
    const int64_t now_ms = clock_ms();
    const bool is_wanted =
        cluster->is_searching && (head.count > 0 || now_ms - cluster->sent_ms >= STATUS_MS);
    if (is_wanted) {
        head.evaluation = cluster->evaluation;
        head.nodes = engine_nodes(cluster->engine);
        head.tb_hits = engine_tb_hits(cluster->engine);
        message_write_records(message, cluster->search, &head, bytes);
        cluster->sent_ms = now_ms;
        cluster->counts.messages_sent++;
        cluster->counts.records_sent += head.count;
    }
    mutex_unlock(&cluster->lock);
    return is_wanted;
}

/* The lock is held, so that the search cannot end meanwhile: the table may be used only during it.
 */
static void receive_records(Cluster *cluster, int from, const Message *message)
{
    RecordsHead head;
    if (!message_read_records(message, &head)) {
        cluster->counts.refused++;
        return;
    }
    cluster->counts.records_received += head.count;
    if (!cluster->is_searching || message->search != cluster->search ||
        head.evaluation != cluster->evaluation) {
        cluster->counts.late += head.count;
        return;
    }
    cluster->counts.adopted += message_adopt_records(message, engine_table(cluster->engine));
    Other *const other = &cluster->others[from];
    other->begun = message->search;
    other->nodes = head.nodes;
    other->tb_hits = head.tb_hits;
    sum_nodes(cluster);
}

/* Ignores a process whose records did not match: it may have failed to load the network. The lock
 * is held. */
static void receive_result(Cluster *cluster, int from, const Message *message)
{
    PeerResult result;
    Other *const other = &cluster->others[from];
    if (message->search != cluster->search || message->search != other->begun)
        return;
    if (!message_read_result(message, &cluster->root, &result)) {
        cluster->counts.refused++;
        return;
    }
    other->finished = message->search;
    other->nodes = result.nodes;
    other->tb_hits = result.tb_hits;
    other->result = result;
    sum_nodes(cluster);
    cond_broadcast(&cluster->incoming_arrived);
}

/* The lock is held. */
static void receive_order(Cluster *cluster, const Message *message)
{
    const bool ends = message->kind == MESSAGE_QUIT || message->kind == MESSAGE_STOP;
    if (ends)
        cluster->stopped_to = message->search;
    if (ends && cluster->is_searching && cluster->search <= cluster->stopped_to)
        engine_stop(cluster->engine);
    if (message->kind != MESSAGE_STOP)
        append(&cluster->incoming, &cluster->incoming_arrived, message);
}

void cluster_receive(Cluster *cluster, int from, const Message *message, size_t bytes)
{
    mutex_lock(&cluster->lock);
    cluster->counts.messages_received++;
    if (!message_is_sound(message, bytes))
        cluster->counts.refused++;
    else if (message->kind == MESSAGE_RECORDS)
        receive_records(cluster, from, message);
    else if (message->kind == MESSAGE_RESULT && cluster->rank == 0)
        receive_result(cluster, from, message);
    else if (message->kind < MESSAGE_RECORDS && from == 0)
        receive_order(cluster, message);
    else
        cluster->counts.refused++;
    mutex_unlock(&cluster->lock);
}

bool cluster_is_over(Cluster *cluster)
{
    mutex_lock(&cluster->lock);
    const bool is_over = cluster->is_over;
    mutex_unlock(&cluster->lock);
    return is_over;
}
