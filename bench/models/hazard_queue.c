// The queue of Michael and Scott (1996) whose nodes are freed by hazard pointers (2004), without their fences.
//
// A thread names each node that it is about to look into in a hazard pointer of its own, and looks whether the node
// is still where it found it. A thread that takes a node out puts it on a list of its own, and frees those nodes of
// the list that no hazard pointer names.
//
// SC        no node is used after it was freed, and every item comes out once.
// TSO, PSO  broken: a hazard pointer waits in its thread's buffer while the thread looks again.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 2
#define HAZARDS 2

struct node {
    atomic_int item;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;
static _Atomic(struct node *) hazards[THREADS * HAZARDS];
static struct node *retired[THREADS][2];
static int got[THREADS];

static struct node *new_node(int item)
{
    struct node *node = malloc(sizeof *node);
    atomic_store_explicit(&node->item, item, memory_order_relaxed);
    atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
    return node;
}

static struct node *load(_Atomic(struct node *) * place)
{
    return atomic_load_explicit(place, memory_order_acquire);
}

/* Names a node in a hazard pointer. */
static void name(int me, int which, struct node *node)
{
    atomic_store_explicit(&hazards[me * HAZARDS + which], node, memory_order_release);
}

static void clear(int me)
{
    name(me, 0, NULL);
    name(me, 1, NULL);
}

static int is_named(struct node *node)
{
    for (int i = 0; i < THREADS * HAZARDS; i++)
        if (load(&hazards[i]) == node)
            return 1;
    return 0;
}

/* Frees the nodes of a thread's list that no hazard pointer names. */
static void scan(int me)
{
    for (int i = 0; i < 2; i++) {
        struct node *node = retired[me][i];
        if (node != NULL && !is_named(node)) {
            retired[me][i] = NULL;
            free(node);
        }
    }
}

static void retire(int me, struct node *node)
{
    int free_slot = retired[me][0] == NULL ? 0 : 1;
    retired[me][free_slot] = node;
    scan(me);
}

static void put(int me, int item)
{
    struct node *node = new_node(item);
    for (;;) {
        struct node *last = load(&tail);
        name(me, 0, last);
        if (load(&tail) != last)
            continue;
        struct node *next = load(&last->next);
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            break;
        }
    }
    clear(me);
}

/* Takes an item out, 0 if there is none. */
static int get(int me)
{
    for (;;) {
        struct node *first = load(&head);
        name(me, 0, first);
        if (load(&head) != first)
            continue;
        struct node *last = load(&tail);
        struct node *next = load(&first->next);
        name(me, 1, next);
        if (load(&head) != first)
            continue;
        if (next == NULL) {
            clear(me);
            return 0;
        }
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int item = atomic_load_explicit(&next->item, memory_order_relaxed);
        if (atomic_compare_exchange_strong(&head, &first, next)) {
            clear(me);
            retire(me, first);
            return item;
        }
    }
}

static void *thread(void *arg)
{
    int me = (int)(intptr_t)arg;
    put(me, me + 1);
    got[me] = get(me);
    return NULL;
}

int main(void)
{
    struct node *dummy = new_node(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(got[0] + got[1] == 3 && got[0] * got[1] == 2);
    return 0;
}
