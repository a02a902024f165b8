// Treiber's stack with a count beside the top, which tells two visits of the same node apart; see
// treiber_stack_aba.c.
//
// The nodes are numbered, so that the number of the top node and the count fit into one word.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define NODES 2
#define NONE 0u

static atomic_uint next[NODES + 1]; /* of the nodes 1, 2, ... */
static atomic_uint top;             /* 256 * count + node */
static unsigned popped, kept;

static unsigned with(unsigned old, unsigned node)
{
    return (old / 256 + 1) * 256 + node;
}

static void push(unsigned node)
{
    unsigned old = atomic_load(&top);
    do
        atomic_store_explicit(&next[node], old % 256, memory_order_relaxed);
    while (!atomic_compare_exchange_strong(&top, &old, with(old, node)));
}

static unsigned pop(void)
{
    unsigned old = atomic_load(&top);
    while (old % 256 != NONE
           && !atomic_compare_exchange_strong(
               &top, &old, with(old, atomic_load_explicit(&next[old % 256], memory_order_relaxed))))
        ;
    return old % 256;
}

static void *slow(void *unused)
{
    (void)unused;
    popped = pop();
    return NULL;
}

static void *quick(void *unused)
{
    (void)unused;
    unsigned a = pop();
    kept = pop();
    if (a != NONE)
        push(a);
    return NULL;
}

int main(void)
{
    for (unsigned i = 1; i <= NODES; i++)
        push(i);
    pthread_t s, q;
    pthread_create(&s, NULL, slow, NULL);
    pthread_create(&q, NULL, quick, NULL);
    pthread_join(s, NULL);
    pthread_join(q, NULL);
    unsigned left = pop();
    assert(popped != left && (kept == NONE || (kept != popped && kept != left)));
    return 0;
}
