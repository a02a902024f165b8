// The queue lock of Craig, Landin and Hagersten (1993): each thread waits on the node of the thread before it, and
// takes that node over for its next round.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define THREADS 2
#define ROUNDS 2

struct node {
    atomic_bool busy;
};

struct handle {
    struct node *mine, *before;
};

static struct node nodes[THREADS + 1]; /* the last one is free and stands in the queue */
static _Atomic(struct node *) tail = &nodes[THREADS];
static int counter;

static void lock(struct handle *h)
{
    atomic_store_explicit(&h->mine->busy, true, memory_order_relaxed);
    h->before = atomic_exchange_explicit(&tail, h->mine, memory_order_acq_rel);
    while (atomic_load_explicit(&h->before->busy, memory_order_acquire))
        ;
}

static void unlock(struct handle *h)
{
    struct node *mine = h->mine;
    h->mine = h->before;
    atomic_store_explicit(&mine->busy, false, memory_order_release);
}

static void *thread(void *arg)
{
    struct handle h = { .mine = arg };
    for (int round = 0; round < ROUNDS; round++) {
        lock(&h);
        counter++;
        unlock(&h);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, &nodes[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS * ROUNDS);
    return 0;
}
