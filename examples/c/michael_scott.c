// The queue of Michael and Scott (1996), with nodes from malloc.
//
// The first node is a dummy; the tail may lag behind by one node, and every thread that sees this moves it on. A
// node that was taken out is freed after both threads have ended: a thread may still look at it. (To free it
// earlier takes hazard pointers: hazard_pointers_fenced.c.)
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int item;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;
static struct node *retired[2];
static int got[2];

static struct node *new_node(int item)
{
    struct node *node = malloc(sizeof *node);
    node->item = item;
    atomic_init(&node->next, NULL);
    return node;
}

static void put(int item)
{
    struct node *node = new_node(item);
    for (;;) {
        struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

/* Takes an item out, 0 if there is none; gives the node that is no longer part of the queue. */
static int get(struct node **old)
{
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail), *next = atomic_load(&first->next);
        if (next == NULL)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&head, &first, next)) {
            *old = first;
            return next->item;
        }
    }
}

static void *thread(void *arg)
{
    intptr_t me = (intptr_t)arg;
    put((int)me + 1);
    got[me] = get(&retired[me]);
    return NULL;
}

int main(void)
{
    struct node *dummy = new_node(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(got[0] + got[1] == 3 && got[0] * got[1] == 2);
    free(retired[0]);
    free(retired[1]);
    free(atomic_load(&head));
    return 0;
}
