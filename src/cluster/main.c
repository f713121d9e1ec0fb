// SPDX-License-Identifier: GPL-3.0-or-later
/* palimpsest-mpi: the UCI engine on several machines; the only file that uses MPI. The main thread
 * carries the messages of the cluster and alone calls MPI (MPI_THREAD_FUNNELED). A second thread is
 * the UCI engine (process 0) or executes its orders (the others). */

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "base/thread.h"
#include "chess/position.h"
#include "cluster/cluster.h"
#include "engine/init.h"
#include "uci/uci.h"

enum {
    FIRST_HASH_MIB = 16,
    DRAIN_MS = 1,
    END_MS = 2000, // longest wait for the others at the end; some GUIs kill an engine after 5 s
    DEPTH_MAX = 255
};

/* One message on its way to or from each other process. A process that stands still delays only its
 * own. The arrays have one element for each process; that of this process is unused. */
typedef struct {
    Message *messages;
    MPI_Request *requests; // MPI_REQUEST_NULL: no message is on its way
} Channel;

typedef struct {
    int rank, count;
    int argc;
    char **argv;
    int min_depth;
    bool shows_counts;
    Cluster *cluster;
    Engine *engine;       // of the processes but 0, whose session has it
    Channel queued;       // orders and results to others
    Channel records;      // recent deep results to others
    Channel incoming;     // all messages from others
    int *arrived;         // [count]; those of `incoming` that are complete
    MPI_Status *statuses; // [count]; theirs
    int status;           // for exit()
} Program;

/* -- Network ----------------------------------------------------------------------------------- */

static bool has_left(const Channel *channel, int to)
{
    int is_done;
    MPI_Test(&channel->requests[to], &is_done, MPI_STATUS_IGNORE);
    return is_done;
}

static void send_message(const Channel *channel, int to)
{
    const Message *const message = &channel->messages[to];
    MPI_Isend(message, (int)message_bytes(message), MPI_BYTE, to, 0, MPI_COMM_WORLD,
              &channel->requests[to]);
}

/* Sends what is queued for each process, one message after the other. Returns true when all have
 * left. */
static bool send_queued(const Program *program)
{
    const Channel *const queued = &program->queued;
    bool have_left = true;
    for (int to = 0; to < program->count; to++) {
        bool is_free = has_left(queued, to);
        while (is_free && cluster_take_queued(program->cluster, to, &queued->messages[to])) {
            send_message(queued, to);
            is_free = has_left(queued, to);
        }
        have_left &= is_free;
    }
    return have_left;
}

/* Sends recent results to the processes that the last ones have left for; the others miss them.
 * Returns true when the last ones have left for all. */
static bool send_records(const Program *program)
{
    static Message message;
    const Channel *const records = &program->records;
    int free_count = 0;
    for (int to = 0; to < program->count; to++)
        free_count += to != program->rank && has_left(records, to);
    if (free_count > 0 && cluster_take_records(program->cluster, &message))
        for (int to = 0; to < program->count; to++)
            if (to != program->rank && records->requests[to] == MPI_REQUEST_NULL) {
                memcpy(&records->messages[to], &message, message_bytes(&message));
                send_message(records, to);
            }
    return free_count == program->count - 1;
}

/* Gives MPI a buffer for the next message of a process. No call waits for that message: its sender
 * may stop in the middle of it. */
static void expect_message(const Program *program, int from)
{
    MPI_Irecv(&program->incoming.messages[from], sizeof(Message), MPI_BYTE, from, 0, MPI_COMM_WORLD,
              &program->incoming.requests[from]);
}

/* Handles at most one message of each process. Returns false when none has arrived. */
static bool receive_messages(const Program *program)
{
    int count, bytes; // count is negative when this process is alone
    MPI_Testsome(program->count, program->incoming.requests, &count, program->arrived,
                 program->statuses);
    for (int i = 0; i < count; i++) {
        const int from = program->arrived[i];
        MPI_Get_count(&program->statuses[i], MPI_BYTE, &bytes);
        cluster_receive(program->cluster, from, &program->incoming.messages[from], (size_t)bytes);
        expect_message(program, from);
    }
    return count > 0;
}

/* Each turn sends what it can before it looks at a bounded number of messages, so that orders leave
 * at once however much arrives. */
static void carry_messages(const Program *program)
{
    for (int from = 0; from < program->count; from++)
        if (from != program->rank)
            expect_message(program, from);
    while (!cluster_is_over(program->cluster)) {
        send_queued(program);
        send_records(program);
        if (!receive_messages(program))
            cluster_wait(program->cluster);
    }
}

/* One step of waiting for the end of the others. Ends all processes when the time is over. */
static void await_others(const Program *program, int64_t until_ms)
{
    if (!receive_messages(program))
        clock_sleep_ms(DRAIN_MS);
    if (clock_ms() < until_ms)
        return;
    fprintf(stderr, "palimpsest-mpi: another process stands still, ends without it\n");
    MPI_Abort(MPI_COMM_WORLD, program->status);
}

/* Receives until all processes have sent their last message: else one could wait for ever to send.
 */
static void drain_network(const Program *program)
{
    const int64_t until_ms = clock_ms() + END_MS;
    MPI_Request barrier = MPI_REQUEST_NULL;
    int is_done = false;
    while (!send_queued(program) || !send_records(program))
        await_others(program, until_ms);
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!is_done) {
        await_others(program, until_ms);
        MPI_Test(&barrier, &is_done, MPI_STATUS_IGNORE);
    }
    for (int from = 0; from < program->count; from++)
        if (from != program->rank) {
            MPI_Cancel(&program->incoming.requests[from]);
            MPI_Wait(&program->incoming.requests[from], MPI_STATUS_IGNORE);
        }
}

/* -- Engine ------------------------------------------------------------------------------------ */

static void on_opened(void *cluster, Engine *engine)
{
    cluster_connect(cluster, engine);
}

static const char *on_command(void *cluster, const char *name, const char *arguments)
{
    return cluster_command(cluster, name, arguments);
}

/* The body of the second thread. */
static void *work(void *argument)
{
    Program *const program = argument;
    const SessionListener listener = {
        .opened = on_opened, .command = on_command, .ctx = program->cluster};
    if (program->rank > 0) {
        cluster_follow(program->cluster, program->engine);
        return NULL;
    }
    program->status = uci_main(program->argc, program->argv, &listener);
    cluster_quit(program->cluster);
    return NULL;
}

/* Compares the programs of all processes. */
static bool is_same_everywhere(uint64_t signature)
{
    uint64_t least, most;
    MPI_Allreduce(&signature, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&signature, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return least == most;
}

/* True when no process has a fault. Every process must call it, so that none waits for one that has
 * ended. The first process with a fault prints its own. */
static bool is_sound_everywhere(const Program *program, const char *fault)
{
    const int own = fault != NULL ? program->rank : program->count;
    int first;
    MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == program->rank)
        fprintf(stderr, "palimpsest-mpi: process %d: %s\n", program->rank, fault);
    return first == program->count;
}

static void print_counts(const Program *program)
{
    const ClusterCounts c = cluster_counts(program->cluster);
    fprintf(stderr,
            "process %d: messages sent %" PRIu64 " received %" PRIu64 " refused %" PRIu64
            "; records sent %" PRIu64 " dropped %" PRIu64 " received %" PRIu64 " late %" PRIu64
            " adopted %" PRIu64 "\n",
            program->rank, c.messages_sent, c.messages_received, c.refused, c.records_sent,
            c.dropped, c.records_received, c.late, c.adopted);
}

static bool open_channel(Channel *channel, int count)
{
    channel->messages = malloc((size_t)count * sizeof *channel->messages);
    channel->requests = malloc((size_t)count * sizeof *channel->requests);
    if (channel->messages == NULL || channel->requests == NULL)
        return false;
    for (int i = 0; i < count; i++)
        channel->requests[i] = MPI_REQUEST_NULL;
    return true;
}

static bool open_program(Program *program)
{
    const int count = program->count;
    program->cluster = cluster_create(program->rank, program->count, program->min_depth);
    if (program->rank > 0)
        program->engine = engine_create(FIRST_HASH_MIB);
    program->arrived = malloc((size_t)count * sizeof *program->arrived);
    program->statuses = malloc((size_t)count * sizeof *program->statuses);
    return program->cluster != NULL && (program->rank == 0 || program->engine != NULL) &&
           program->arrived != NULL && program->statuses != NULL &&
           open_channel(&program->queued, count) && open_channel(&program->records, count) &&
           open_channel(&program->incoming, count);
}

/* Returns the exit status. */
static int run(Program *program)
{
    Thread worker;
    if (!open_program(program)) {
        fprintf(stderr, "palimpsest-mpi: out of memory in process %d\n", program->rank);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    if (!is_same_everywhere(cluster_signature())) {
        if (program->rank == 0)
            fprintf(stderr, "palimpsest-mpi: the machines have different programs or networks\n");
        return EXIT_FAILURE;
    }
    if (program->rank > 0)
        cluster_connect(program->cluster, program->engine);
    if (!thread_start(&worker, work, program)) {
        fprintf(stderr, "palimpsest-mpi: no thread in process %d\n", program->rank);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    carry_messages(program);
    drain_network(program);
    thread_join(&worker);
    if (program->shows_counts)
        print_counts(program);
    return program->status;
}

/* Takes the switches of this program out of the arguments; false when one is wrong. */
static bool take_switches(Program *program)
{
    static const char depth[] = "--min-depth=";
    static const char help[] =
        "mpirun --bind-to none -np 2 palimpsest-mpi: the engine on several machines. Switches:\n"
        "  --min-depth=N          send only results of at least this depth (1..255; 8)\n"
        "  --counts               print at the end what each process has sent and adopted\n"
        "Other arguments are those of palimpsest:";
    int kept = 0;
    for (int i = 0; i < program->argc; i++) {
        char *const word = program->argv[i];
        int64_t number;
        if (strcmp(word, "--counts") == 0) {
            program->shows_counts = true;
        } else if (strncmp(word, depth, strlen(depth)) == 0) {
            if (!text_parse_int(word + strlen(depth), 1, DEPTH_MAX, &number))
                return false;
            program->min_depth = (int)number;
        } else {
            if (program->rank == 0 && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0))
                puts(help);
            program->argv[kept++] = word;
        }
    }
    program->argc = kept;
    return true;
}

int main(int argc, char **argv)
{
    int provided;
    file_fill_standard_streams();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    Program program = {.argc = argc, .argv = argv, .min_depth = CLUSTER_DEPTH};
    MPI_Comm_rank(MPI_COMM_WORLD, &program.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &program.count);
    file_outlive_limits();
    file_outlive_readers();
    chess_init();
    char error[NETWORK_ERROR_MAX];
    const char *fault = !engine_init(error) ? error : NULL;
    if (!take_switches(&program))
        fault = "--min-depth needs a number from 1 to 255";
    const int status = is_sound_everywhere(&program, fault) ? run(&program) : EXIT_FAILURE;
    MPI_Finalize();
    return status;
}
