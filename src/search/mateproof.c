// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/mateproof.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/mem.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "eval/score.h"

/* Proof numbers: the least number of positions that must still be proven (pn) or refuted (dn) to
 * decide a node. 0 and PN_INFINITE are final. */
enum {
    PN_INFINITE = (1 << 24) - 1,
    PN_LARGEST = PN_INFINITE - 1,
    QUIET_PN = 3,      // added where the attacker's move gives no check: checks are searched first
    SLOTS = 4,         // of a bucket
    BUCKET_BYTES = 64, // a cache line
    BUCKETS_MIN = 1024 // so that bucket and lock together determine the key
};

/* A table entry: the proof numbers of a node for a number of moves left. A proof also holds for
 * more moves, a refutation for fewer. */
typedef struct {
    uint64_t lock;     // key; its lowest 8 bits, known from the bucket, hold the moves left
    uint32_t pn : 24;  // both 0: the slot is empty
    uint32_t work : 8; // nodes of the search, as the number of their binary digits, plus one
    uint32_t dn : 24;
    uint32_t unused : 8;
} MateEntry;

typedef struct {
    MateEntry slots[SLOTS];
} MateBucket;

static_assert(sizeof(MateBucket) == BUCKET_BYTES, "a bucket fills a cache line");

/* Value of a node. */
typedef struct {
    uint32_t pn, dn;
    int moves; // of a proven node: length of the mate that was found
} MateValue;

typedef struct {
    Move move;
    MateValue value;
} MateChild;

struct MateProof {
    Worker *w;
    MateBucket *buckets;
    uint64_t bucket_count; // a power of two
    size_t bytes;
    MateChild (*children)[MAX_MOVES]; // one list for each ply of the tree
    Move *killers;                    // for each ply, the move that last decided a node
    int moves_max;
    Color attacker;
    uint64_t last_node;   // node count at which the budget ends
    bool is_stopped;      // budget or limits
    bool is_weak;         // weak numbers at the defender's nodes
    bool counts_rule50;   // the fifty-move counter is part of the keys
    Key drawn[PATH_KEYS]; // positions that occurred twice in the game
    int drawn_count;
};

static const MateValue PROVEN = {0, PN_INFINITE, 0}, REFUTED = {PN_INFINITE, 0, 0};
static const MateValue UNBOUNDED = {PN_INFINITE, PN_INFINITE, 0};

static bool is_proven(MateValue value)
{
    return value.pn == 0;
}

static bool is_refuted(MateValue value)
{
    return value.dn == 0;
}

/* -- Table ------------------------------------------------------------------------------------- */

static Key node_key(const MateProof *proof, const Position *pos)
{
    Key key = pos->key;
    if (proof->attacker == BLACK)
        key = ~key;
    if (proof->is_weak)               // other numbers, kept apart
        key ^= 0xD1B54A32D192ED03ULL; // any odd constant
    if (proof->counts_rule50)
        key ^= (Key)(pos->rule50 + 1) * GOLDEN_RATIO_64;
    return key;
}

static MateBucket *bucket_of(const MateProof *proof, Key key)
{
    return &proof->buckets[key & (proof->bucket_count - 1)];
}

static bool is_empty(const MateEntry *entry)
{
    return entry->pn == 0 && entry->dn == 0;
}

/* Looks up the node with `moves` left; false when nothing is known. If only entries with other
 * numbers of moves exist, the nearest of them gives a first estimate: half of its proof numbers.
 * With one move left no estimate is needed. */
static bool table_probe(const MateProof *proof, Key key, int moves, MateValue *value)
{
    const MateBucket *const bucket = bucket_of(proof, key);
    int nearest = MATEPROOF_MOVES_MAX + 1; // difference of the number of moves
    for (int i = 0; i < SLOTS; i++) {
        const MateEntry *const entry = &bucket->slots[i];
        const int left = (int)(entry->lock & 0xFF);
        if ((entry->lock ^ key) >> 8 != 0 || is_empty(entry))
            continue;
        if (entry->pn == 0 && left <= moves) {
            *value = (MateValue){0, PN_INFINITE, left};
            return true;
        }
        if (entry->dn == 0 && left >= moves) {
            *value = REFUTED;
            return true;
        }
        const int difference = abs(left - moves);
        const bool is_final = entry->pn == 0 || entry->dn == 0;
        if (is_final || difference >= nearest || (difference > 0 && moves <= 1))
            continue;
        nearest = difference;
        *value = difference == 0 ? (MateValue){entry->pn, entry->dn, 0}
                                 : (MateValue){entry->pn / 2 + 1, entry->dn / 2 + 1, 0};
    }
    return nearest <= MATEPROOF_MOVES_MAX;
}

/* The slot to write for the node with this `lock` (MateEntry.lock): its own, else an empty one,
 * else the one whose search took the fewest nodes. */
static MateEntry *slot_for(MateBucket *bucket, uint64_t lock)
{
    MateEntry *chosen = &bucket->slots[0];
    for (int i = 0; i < SLOTS; i++) {
        MateEntry *const entry = &bucket->slots[i];
        if (entry->lock == lock && !is_empty(entry))
            return entry;
        const bool is_better = is_empty(entry) || entry->work < chosen->work;
        if (!is_empty(chosen) && is_better)
            chosen = entry;
    }
    return chosen;
}

/* Stores the value of a node that took `nodes` nodes. */
static void table_store(MateProof *proof, Key key, int moves, MateValue value, uint64_t nodes)
{
    const uint64_t lock =
        (key & ~(uint64_t)0xFF) | (uint64_t)(is_proven(value) ? value.moves : moves);
    unsigned work = 1;
    while (nodes > 0) {
        nodes /= 2;
        work++;
    }
    MateEntry *const entry = slot_for(bucket_of(proof, key), lock);
    *entry = (MateEntry){.lock = lock, .pn = value.pn, .dn = value.dn, .work = work & 0xFF};
}

/* -- Values of new nodes ----------------------------------------------------------------------- */

static void play(MateProof *proof, Position *after, const Position *before, Move move)
{
    pos_play(after, before, move);
    worker_count_node(proof->w);
}

/* True for draws that end the game before the mate. */
static bool is_draw(const MateProof *proof, const Position *pos)
{
    for (int i = 0; i < proof->drawn_count; i++)
        if (proof->drawn[i] == pos->key)
            return true;
    return proof->counts_rule50 && game_fifty_moves(pos);
}

static bool has_only_king(const Position *pos, Color side)
{
    return !bb_many(pos->by_color[side]);
}

/* True when the attacker, to move in `pos`, has a move that mates. */
static bool has_mate_in_one(MateProof *proof, const Position *pos)
{
    CheckSquares checks;
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    pos_find_check_squares(&checks, pos);
    for (int i = 0; i < count; i++) {
        Position after;
        if (!pos_gives_check_fast(&checks, pos, moves[i]))
            continue;
        play(proof, &after, pos, moves[i]);
        if (!gen_any(&after))
            return true;
    }
    return false;
}

/* First value of `pos`, after a move of the attacker, who has `moves` moves left. */
static MateValue defender_value(const MateProof *proof, const Position *pos, int moves)
{
    const int replies = gen_count(pos);
    const bool is_check = pos_in_check(pos);
    if (replies == 0)
        return is_check ? PROVEN : REFUTED;
    if (moves == 0 || has_only_king(pos, proof->attacker) || is_draw(proof, pos))
        return REFUTED;
    return (MateValue){(uint32_t)(replies + (is_check ? 0 : QUIET_PN)), 1, 0};
}

/* First value of `pos`, with the attacker to move, who has `moves` moves left. */
static MateValue attacker_value(MateProof *proof, const Position *pos, int moves)
{
    if (has_only_king(pos, proof->attacker) || is_draw(proof, pos))
        return REFUTED;
    if (moves > 1)
        return (MateValue){1, 1, 0};
    return has_mate_in_one(proof, pos) ? (MateValue){0, PN_INFINITE, 1} : REFUTED;
}

/* -- Search ------------------------------------------------------------------------------------ */

/* A node being searched. */
typedef struct {
    const Position *pos;
    bool is_or_node; // the attacker is to move; else an AND node, with the defender to move
    int moves;       // left for the attacker
    int child_moves; // left after a move from here
    MateChild *children;
    int count;
    Move *killer; // of the node's ply
} MateNode;

static bool must_stop(MateProof *proof)
{
    if (!proof->is_stopped)
        proof->is_stopped =
            worker_must_stop(proof->w) || worker_nodes(proof->w) >= proof->last_node;
    return proof->is_stopped;
}

/* The value of the position after `move`, from the table or from the position itself. */
static MateValue child_value(MateProof *proof, const MateNode *node, Move move)
{
    Position after;
    MateValue value;
    play(proof, &after, node->pos, move);
    const Key key = node_key(proof, &after);
    if (table_probe(proof, key, node->child_moves, &value))
        return value;
    return node->is_or_node ? defender_value(proof, &after, node->child_moves)
                            : attacker_value(proof, &after, node->child_moves);
}

/* True when this child alone decides its parent. */
static bool is_decisive(const MateNode *node, MateValue child)
{
    return node->is_or_node ? is_proven(child) : is_refuted(child);
}

/* Moves the killer to the front: the move that decided one node often decides the next node at this
 * ply (Akl & Newborn 1977). */
static void killer_first(const MateNode *node, Move *moves, int count)
{
    for (int i = 1; i < count; i++)
        if (moves[i] == *node->killer) {
            memmove(moves + 1, moves, (size_t)i * sizeof *moves);
            moves[0] = *node->killer;
            return;
        }
}

/* Lists the node's children until one of them decides it. Changes the order of `moves`. */
static void expand(MateProof *proof, MateNode *node, Move *moves, int count)
{
    node->count = 0;
    killer_first(node, moves, count);
    for (int i = 0; i < count; i++) {
        const MateValue value = child_value(proof, node, moves[i]);
        node->children[node->count++] = (MateChild){moves[i], value};
        if (is_decisive(node, value)) {
            *node->killer = moves[i];
            return;
        }
    }
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The number that depends on all children: dn at a node of the attacker, pn at one of the defender.
 * It is the sum over the children. The weak number is the largest one, plus one for each other open
 * child (Ueda et al. 2008). */
static uint32_t total_number(const MateNode *node, bool is_weak)
{
    uint32_t sum = 0, largest = 0, open = 0;
    for (int i = 0; i < node->count; i++) {
        const MateValue child = node->children[i].value;
        const uint32_t number = node->is_or_node ? child.dn : child.pn;
        if (number == PN_INFINITE)
            return PN_INFINITE;
        sum = number > PN_LARGEST - sum ? PN_LARGEST : sum + number;
        largest = number > largest ? number : largest;
        open += number > 0;
    }
    const uint32_t weak = open > 0 ? largest + open - 1 : 0;
    return is_weak ? least_of(weak, PN_LARGEST) : sum;
}

/* The number that depends on the easiest child only: pn at a node of the attacker, dn at one of the
 * defender. */
static uint32_t least_number(const MateNode *node)
{
    uint32_t least = PN_INFINITE;
    for (int i = 0; i < node->count; i++) {
        const MateValue child = node->children[i].value;
        least = least_of(least, node->is_or_node ? child.pn : child.dn);
    }
    return least;
}

/* Length of the mate of a proven node: that of the child with the shortest mate at a node of the
 * attacker, and with the longest mate at one of the defender. */
static int mate_length(const MateNode *node)
{
    int length = node->is_or_node ? MATEPROOF_MOVES_MAX + 1 : 0;
    for (int i = 0; i < node->count; i++) {
        const MateValue child = node->children[i].value;
        if (!node->is_or_node && child.moves > length)
            length = child.moves;
        else if (node->is_or_node && is_proven(child) && child.moves + 1 < length)
            length = child.moves + 1;
    }
    return length;
}

/* The node's value, from its children. One proven child proves a node of the attacker; a node of
 * the defender needs all children proven. At a node of the attacker the total is always a weak
 * number, because most of its many moves transpose into one another. */
static MateValue node_value(const MateProof *proof, const MateNode *node)
{
    const uint32_t total = total_number(node, node->is_or_node || proof->is_weak);
    const uint32_t least = least_number(node);
    const uint32_t pn = node->is_or_node ? least : total;
    return (MateValue){pn, node->is_or_node ? total : least, pn == 0 ? mate_length(node) : 0};
}

/* The child to search next, the one that is easiest to prove (attacker) or to refute (defender).
 * `*second` becomes that number of the next best child. */
static MateChild *easiest_child(const MateNode *node, uint32_t *second)
{
    MateChild *best = NULL;
    uint32_t least = PN_INFINITE;
    *second = PN_INFINITE;
    for (int i = 0; i < node->count; i++) {
        MateChild *const child = &node->children[i];
        const uint32_t number = node->is_or_node ? child->value.pn : child->value.dn;
        if (best == NULL || number < least) {
            *second = best != NULL ? least : *second;
            least = number;
            best = child;
        } else if (number < *second) {
            *second = number;
        }
    }
    return best;
}

/* The proof numbers at which the search of `child` ends. The search stays at a child until that is
 * an eighth worse than the second one, which saves most of the repeated visits (the "1 + epsilon
 * trick" of Pawlewicz & Lew 2007). */
static MateValue child_bounds(const MateNode *node, MateValue bounds, MateValue value,
                              const MateChild *child, uint32_t second)
{
    const uint32_t patience = second >= PN_LARGEST ? PN_INFINITE : second + second / 8 + 1;
    if (node->is_or_node)
        return (MateValue){least_of(bounds.pn, patience),
                           least_of(bounds.dn - value.dn + child->value.dn, PN_INFINITE), 0};
    return (MateValue){least_of(bounds.pn - value.pn + child->value.pn, PN_INFINITE),
                       least_of(bounds.dn, patience), 0};
}

static MateValue search_node(MateProof *proof, const Position *pos, int ply, int moves,
                             MateValue bounds);

/* Searches the children of an expanded node until its value reaches one of `bounds`. */
static MateValue search_children(MateProof *proof, MateNode *node, int ply, MateValue bounds)
{
    MateValue value = node_value(proof, node);
    while (value.pn < bounds.pn && value.dn < bounds.dn && !must_stop(proof)) {
        uint32_t second;
        MateChild *const child = easiest_child(node, &second);
        const MateValue inner = child_bounds(node, bounds, value, child, second);
        Position after;
        pos_play(&after, node->pos, child->move);
        child->value = search_node(proof, &after, ply + 1, node->child_moves, inner);
        value = node_value(proof, node);
        if (is_decisive(node, child->value))
            *node->killer = child->move;
    }
    return value;
}

static MateNode make_node(MateProof *proof, const Position *pos, int ply, int moves)
{
    const bool is_or_node = pos->side == proof->attacker;
    return (MateNode){.pos = pos,
                      .is_or_node = is_or_node,
                      .moves = moves,
                      .child_moves = moves - is_or_node,
                      .children = proof->children[ply],
                      .killer = &proof->killers[ply]};
}

/* Searches a node that is not decided until a number reaches its bound. */
static MateValue search_node(MateProof *proof, const Position *pos, int ply, int moves,
                             MateValue bounds)
{
    const uint64_t before = worker_nodes(proof->w);
    MateNode node = make_node(proof, pos, ply, moves);
    Move list[MAX_MOVES];
    const int count = gen_legal(pos, list);
    expand(proof, &node, list, count);
    const MateValue value = search_children(proof, &node, ply, bounds);
    table_store(proof, node_key(proof, pos), moves, value, worker_nodes(proof->w) - before);
    return value;
}

/* Searches the root. Only the root moves of the worker are tried there. */
static MateValue search_root(MateProof *proof, MateNode *root, int moves)
{
    const Worker *const w = proof->w;
    Move list[MAX_MOVES];
    for (int i = 0; i < w->root_move_count; i++)
        list[i] = w->root_moves[i].move;
    *root = make_node(proof, &w->shared->job->root, 0, moves);
    expand(proof, root, list, w->root_move_count);
    return search_children(proof, root, 0, UNBOUNDED);
}

/* Sets the attacker and how many nodes a search may take from now on. */
static void start_budget(MateProof *proof, Color attacker, uint64_t budget)
{
    const uint64_t nodes = worker_nodes(proof->w);
    proof->attacker = attacker;
    proof->last_node = budget < UINT64_MAX - nodes ? nodes + budget : UINT64_MAX;
    proof->is_stopped = false;
}

/* -- Line -------------------------------------------------------------------------------------- */

/* The child with the shortest mate (attacker) or the longest (defender); NULL: none. */
static MateChild *next_of_line(const MateNode *node)
{
    MateChild *best = NULL;
    for (int i = 0; i < node->count; i++) {
        MateChild *const child = &node->children[i];
        if (is_proven(child->value) &&
            (best == NULL || (node->is_or_node ? child->value.moves < best->value.moves
                                               : child->value.moves > best->value.moves)))
            best = child;
    }
    return best;
}

MateResult mateproof_search(MateProof *proof, Color attacker, int moves, MateNumbers numbers,
                            uint64_t budget)
{
    MateNode root;
    assert(1 <= moves && moves <= proof->moves_max);
    start_budget(proof, attacker, budget);
    proof->is_weak = numbers == MATE_NUMBERS_WEAK;
    const MateValue value = search_root(proof, &root, moves);
    if (is_refuted(value))
        return (MateResult){.verdict = MATE_REFUTED};
    if (!is_proven(value))
        return (MateResult){.verdict = MATE_UNKNOWN};
    const MateChild *const next = next_of_line(&root);
    return (MateResult){MATE_PROVEN, value.moves, next != NULL ? next->move : MOVE_NONE};
}

/* Ends the budget at node count `last_node`; the limits of the worker stay. */
static void set_last_node(MateProof *proof, uint64_t last_node)
{
    proof->last_node = last_node;
    proof->is_stopped = false;
}

/* The reply with the longest mate. The mate that was proven after a reply may be longer than
 * necessary. Tries to prove a shorter one, up to node count `last_node`. */
static MateChild *longest_defence(MateProof *proof, const MateNode *node, int ply,
                                  uint64_t last_node)
{
    const uint64_t old_last = proof->last_node;
    MateChild *best = next_of_line(node);
    set_last_node(proof, last_node);
    while (best != NULL && best->value.moves > 1 && !must_stop(proof)) {
        Position after;
        pos_play(&after, node->pos, best->move);
        const MateValue shorter =
            search_node(proof, &after, ply + 1, best->value.moves - 1, UNBOUNDED);
        if (!is_proven(shorter))
            break;
        best->value = shorter;
        best = next_of_line(node);
    }
    set_last_node(proof, old_last);
    return best;
}

/* Follows a proven mate in `moves`; returns the number of plies. The defender's replies are tested
 * up to node count `last_node`, see longest_defence(). */
static int follow_mate(MateProof *proof, int moves, uint64_t last_node, Move *pv)
{
    Position pos = proof->w->shared->job->root;
    int length = 0, left = moves;
    while (length < MAX_PLY) {
        MateNode node;
        MateValue value;
        if (length == 0) {
            value = search_root(proof, &node, left);
        } else {
            Move list[MAX_MOVES];
            node = make_node(proof, &pos, length, left);
            expand(proof, &node, list, gen_legal(&pos, list));
            value = search_children(proof, &node, length, UNBOUNDED);
        }
        if (!is_proven(value))
            break;
        const MateChild *const next = node.is_or_node
                                          ? next_of_line(&node)
                                          : longest_defence(proof, &node, length, last_node);
        if (next == NULL) // mate
            break;
        pv[length++] = next->move;
        left = next->value.moves;
        pos_advance(&pos, next->move);
    }
    return length;
}

int mateproof_line(MateProof *proof, Color attacker, int moves, uint64_t budget, Move *pv)
{
    const int plies = 2 * moves - (attacker == proof->w->shared->job->root.side);
    start_budget(proof, attacker, budget);
    const uint64_t half = worker_nodes(proof->w) + budget / 2;
    const int length = follow_mate(proof, moves, 0, pv);
    return length == plies ? length : follow_mate(proof, moves, half, pv);
}

/* -- Creation and destruction ------------------------------------------------------------------ */

/* Lists the positions that occurred twice in the game: the third occurrence is a draw. */
static void list_drawn(MateProof *proof)
{
    const Path *const path = &proof->w->shared->job->path;
    for (int i = 0; i < path->count; i++)
        for (int j = i + 4; j < path->count; j += 2)
            if (path->keys[i] == path->keys[j]) {
                proof->drawn[proof->drawn_count++] = path->keys[i];
                break;
            }
}

MateProof *mateproof_create(Worker *w, int moves_max, size_t bytes)
{
    assert(1 <= moves_max && moves_max <= MATEPROOF_MOVES_MAX);
    MateProof *const proof = calloc(1, sizeof *proof);
    if (proof == NULL)
        return NULL;
    proof->w = w;
    proof->moves_max = moves_max;
    proof->bucket_count = BUCKETS_MIN;
    while (proof->bucket_count * 2 * BUCKET_BYTES <= bytes)
        proof->bucket_count *= 2;
    proof->bytes = proof->bucket_count * BUCKET_BYTES;
    proof->buckets = mem_alloc_large(proof->bytes, NULL);
    proof->children = calloc((size_t)(2 * moves_max + 2), sizeof *proof->children);
    proof->killers = calloc((size_t)(2 * moves_max + 2), sizeof *proof->killers);
    proof->counts_rule50 = w->shared->job->root.rule50 + 2 * moves_max >= 100;
    if (proof->buckets == NULL || proof->children == NULL || proof->killers == NULL) {
        mateproof_destroy(proof);
        return NULL;
    }
    list_drawn(proof);
    return proof;
}

void mateproof_destroy(MateProof *proof)
{
    if (proof == NULL)
        return;
    mem_free_large(proof->buckets, proof->bytes);
    free(proof->children);
    free(proof->killers);
    free(proof);
}
