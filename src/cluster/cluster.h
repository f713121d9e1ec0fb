// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One process of a cluster: several processes search the same root, each with its own threads and
 * table (Lazy SMP between machines). Process 0 is the UCI engine; the others follow it. This module
 * decides what is sent and what happens with what arrives. It knows no network: main.c carries the
 * messages.
 *
 * Two threads use a Cluster. The working thread runs the UCI session or cluster_follow(). The
 * network thread calls the functions of the last section. */

#include "cluster/message.h"
#include "engine/engine.h"

typedef struct Cluster Cluster;

/* Default of the least depth of results that are sent, in plies. */
enum { CLUSTER_DEPTH = 8 };

/* What a process has sent and received. */
typedef struct {
    uint64_t messages_sent, messages_received;
    uint64_t records_sent, records_received;
    uint64_t adopted; // received records that were new to the table
    uint64_t late;    // received records of another search or another network
    uint64_t dropped; // own records for which there was no room
    uint64_t refused; // messages that were damaged or impossible
} ClusterCounts;

/* Creates process `rank` of `count`. NULL when memory is short. */
Cluster *cluster_create(int rank, int count, int min_depth);
void cluster_destroy(Cluster *cluster);

ClusterCounts cluster_counts(Cluster *cluster);

/* A number that must be equal in all processes: it differs for another program or network. */
uint64_t cluster_signature(void);

/* -- Working thread ---------------------------------------------------------------------------- */

/* Connects the engine of this process, which must outlive all searches. No effect on the only
 * process. */
void cluster_connect(Cluster *cluster, Engine *engine);

/* Process 0: sends a command that all processes must execute: `ucinewgame`, and `setoption` for the
 * options of the search. `arguments` is the text behind the command. */
void cluster_command(Cluster *cluster, const char *name, const char *arguments);

/* Process 0: ends all other processes. */
void cluster_quit(Cluster *cluster);

/* The other processes: executes the orders of process 0 until it quits. */
void cluster_follow(Cluster *cluster, Engine *engine);

/* -- Network thread ---------------------------------------------------------------------------- */

/* Waits until there is an order or a result to send, but not longer than the time until the next
 * look at the network: short while a search runs. */
void cluster_wait(Cluster *cluster);

/* Takes the oldest order or result: of process 0 to all others, of the others to process 0. It must
 * arrive. Returns false when there is none. */
bool cluster_take_order(Cluster *cluster, Message *message);

/* Takes the recent results of the workers, to all other processes. May be lost. Returns false when
 * there is nothing to send now. */
bool cluster_take_records(Cluster *cluster, Message *message);

/* Handles a message of `bytes` bytes that arrived from process `from`. */
void cluster_receive(Cluster *cluster, int from, const Message *message, size_t bytes);

/* True when this process has sent or executed the order to quit, and no message is left to send. */
bool cluster_is_over(Cluster *cluster);
