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

/* A message on its way to one or all other processes. The next one waits until it has left. */
typedef struct {
    Message message;
    MPI_Request *requests; // [count]
} Channel;

typedef struct {
    int rank, count;
    int argc;
    char **argv;
    int min_depth;
    bool shows_counts;
    Cluster *cluster;
    Engine *engine;  // of the processes but 0, whose session has it
    Channel queued;  // orders and results
    Channel records; // recent deep results
    int status;      // for exit()
} Program;

/* -- Network ----------------------------------------------------------------------------------- */

static bool has_left(const Program *program, Channel *channel)
{
    int is_done;
    MPI_Testall(program->count, channel->requests, &is_done, MPI_STATUSES_IGNORE);
    return is_done;
}

/* Sends the channel's message to process 0, or to all others. */
static void send_message(const Program *program, Channel *channel, bool only_to_first)
{
    const int last = only_to_first ? 0 : program->count - 1;
    for (int to = 0; to <= last; to++)
        if (to != program->rank)
            MPI_Isend(&channel->message, (int)message_bytes(&channel->message), MPI_BYTE, to, 0,
                      MPI_COMM_WORLD, &channel->requests[to]);
}

static void receive_all(const Program *program)
{
    static Message message;
    int is_there, bytes;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &status);
    while (is_there) {
        MPI_Recv(&message, sizeof message, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        cluster_receive(program->cluster, status.MPI_SOURCE, &message, (size_t)bytes);
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &status);
    }
}

static void carry_messages(Program *program)
{
    while (!cluster_is_over(program->cluster)) {
        receive_all(program);
        const bool can_send = has_left(program, &program->queued);
        if (can_send && cluster_take_queued(program->cluster, &program->queued.message))
            send_message(program, &program->queued, program->rank != 0);
        if (has_left(program, &program->records) &&
            cluster_take_records(program->cluster, &program->records.message))
            send_message(program, &program->records, false);
        cluster_wait(program->cluster, can_send);
    }
}

/* One step of waiting for the end of the others. Ends all processes when the time is over. */
static void await_others(const Program *program, int64_t until_ms)
{
    receive_all(program);
    clock_sleep_ms(DRAIN_MS);
    if (clock_ms() < until_ms)
        return;
    fprintf(stderr, "palimpsest-mpi: another process stands still, ends without it\n");
    MPI_Abort(MPI_COMM_WORLD, program->status);
}

/* Receives until all processes have sent their last message: else one could wait for ever to send.
 */
static void drain_network(Program *program)
{
    const int64_t until_ms = clock_ms() + END_MS;
    MPI_Request barrier = MPI_REQUEST_NULL;
    int is_done = false;
    while (!has_left(program, &program->queued) || !has_left(program, &program->records))
        await_others(program, until_ms);
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!is_done) {
        await_others(program, until_ms);
        MPI_Test(&barrier, &is_done, MPI_STATUS_IGNORE);
    }
}

/* -- Engine ------------------------------------------------------------------------------------ */

static void on_opened(void *cluster, Engine *engine)
{
    cluster_connect(cluster, engine);
}

static void on_command(void *cluster, const char *name, const char *arguments)
{
    cluster_command(cluster, name, arguments);
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

static bool open_program(Program *program)
{
    const size_t count = (size_t)program->count;
    program->cluster = cluster_create(program->rank, program->count, program->min_depth);
    if (program->rank > 0)
        program->engine = engine_create(FIRST_HASH_MIB);
    program->queued.requests = malloc(count * sizeof(MPI_Request));
    program->records.requests = malloc(count * sizeof(MPI_Request));
    if (program->cluster == NULL || (program->rank > 0 && program->engine == NULL) ||
        program->queued.requests == NULL || program->records.requests == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        program->queued.requests[i] = program->records.requests[i] = MPI_REQUEST_NULL;
    return true;
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
    static Program program; // its messages are large
    file_fill_standard_streams();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    program = (Program){.argc = argc, .argv = argv, .min_depth = CLUSTER_DEPTH};
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
