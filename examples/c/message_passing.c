// Message passing with an order that is too weak: the data, then a flag, both relaxed.
//
// TSO keeps the order of stores, so x86 delivers. PSO does not: the flag can be seen before the data. (A compiler
// may exchange the two stores as well.) A release fence between the stores, or a release store of the flag, fixes
// it: message_passing_fenced.c.
//
// expect: sc holds
// expect: tso holds
// expect: pso violated
// fences: pso 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int data;
static atomic_bool ready;

static void *producer(void *unused)
{
    (void)unused;
    atomic_store_explicit(&data, 42, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        ;
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 42);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
