// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One process of a cluster: several processes search the same root, each with its own threads and
 * table (Lazy SMP between machines). Process 0 is the UCI engine. It sends orders to the others,
 * which send their results back. This module decides what to send, and handles what arrives; main.c
 * carries the messages over the network.
 *
 * Two threads use a Cluster. The working thread runs the UCI session or cluster_follow(). The
 * network thread calls the functions of the last section. */

#include "cluster/message.h"
#include "engine/engine.h"

typedef struct Cluster Cluster;

/* Default: only results of at least this depth are sent, in plies. */
enum { CLUSTER_DEPTH = 8 };

/* What a process has sent and received. */
typedef struct {
    uint64_t messages_sent, messages_received;
    uint64_t records_sent, records_received;
    uint64_t adopted; // received records for which the table had no result as deep
    uint64_t late;    // received records of another search or another network
    uint64_t dropped; // own records that were not sent: the outbox was full
    uint64_t refused; // messages that were damaged or impossible
} ClusterCounts;

/* Creates process `rank` of `count`. NULL when memory is short. */
Cluster *cluster_create(int rank, int count, int min_depth);
void cluster_destroy(Cluster *cluster);

ClusterCounts cluster_counts(Cluster *cluster);

/* A fingerprint of version, parameters, formats and network, which must be equal in all processes.
 */
uint64_t cluster_signature(void);

/* -- Working thread ---------------------------------------------------------------------------- */

/* Connects the engine of this process, which must outlive all searches. A process that is alone
 * searches as without a cluster. */
void cluster_connect(Cluster *cluster, Engine *engine);

/* Process 0: sends a UCI command to the others if they must execute it, too: `setoption` for the
 * options that affect searches. `arguments` is the text after its name. Returns NULL, or why the
 * others do not get a command that they must execute: a constant. */
const char *cluster_command(Cluster *cluster, const char *name, const char *arguments);

/* Process 0: ends all other processes. */
void cluster_quit(Cluster *cluster);

/* The other processes: executes the orders of process 0 until it quits. */
void cluster_follow(Cluster *cluster, Engine *engine);

/* -- Network thread ---------------------------------------------------------------------------- */

/* Sleeps until the next poll of the network, or until a message is queued. Polls are frequent after
 * a search begins or ends, then ever rarer: every millisecond during a search, every five without
 * one. Messages that were queued before the last call do not end the sleep: they cannot leave yet.
 */
void cluster_wait(Cluster *cluster);

/* Takes the oldest message out of the queue for process `to`: an order of process 0, or a result
 * for process 0. It must arrive. Returns false when the queue is empty. */
bool cluster_take_queued(Cluster *cluster, int to, Message *message);

/* Makes a message of the recent deep results of the workers, for all other processes. Some of them
 * may miss it. Returns false when there is nothing to send now. */
bool cluster_take_records(Cluster *cluster, Message *message);

/* Handles a message of `bytes` bytes that arrived from process `from`. */
void cluster_receive(Cluster *cluster, int from, const Message *message, size_t bytes);

/* True when this process has queued or executed the order to quit. */
bool cluster_is_over(Cluster *cluster);
