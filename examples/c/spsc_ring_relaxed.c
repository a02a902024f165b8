// A ring for one producer and one consumer whose stores are all relaxed; see spsc_ring.c.
//
// TSO keeps stores in order. Under PSO the new index can be seen before the item, and the consumer takes what was
// in the slot before. One store fence (a release fence) in put() fixes it. get() needs none: it stores the index
// only, and loads come before later stores.
//
// expect: sc holds
// expect: tso holds
// expect: pso violated
// expect: sc violated race
// fences: pso 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SIZE 2
#define ITEMS 4

struct ring {
    atomic_uint head, tail;
    int slots[SIZE];
};

static struct ring ring;

static bool put(struct ring *r, int item)
{
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    if (tail - atomic_load_explicit(&r->head, memory_order_acquire) == SIZE)
        return false;
    r->slots[tail % SIZE] = item;
    atomic_store_explicit(&r->tail, tail + 1, memory_order_relaxed);
    return true;
}

static bool get(struct ring *r, int *item)
{
    unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
    if (head == atomic_load_explicit(&r->tail, memory_order_acquire))
        return false;
    *item = r->slots[head % SIZE];
    atomic_store_explicit(&r->head, head + 1, memory_order_relaxed);
    return true;
}

static void *producer(void *arg)
{
    struct ring *r = arg;
    for (int i = 1; i <= ITEMS; i++)
        while (!put(r, i))
            ;
    return NULL;
}

static void *consumer(void *arg)
{
    struct ring *r = arg;
    for (int i = 1; i <= ITEMS; i++) {
        int item;
        while (!get(r, &item))
            ;
        assert(item == i);
    }
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, NULL, producer, &ring);
    pthread_create(&c, NULL, consumer, &ring);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
