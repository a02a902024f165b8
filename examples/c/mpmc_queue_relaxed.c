// A bounded queue for any number of producers and consumers whose stores are all relaxed; see mpmc_queue.c.
//
// TSO keeps stores in order. Under PSO the turn of a cell can be seen before its item. A store fence (a release
// fence) in put() fixes it.
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
#include <stdint.h>

#define SIZE 2

struct cell {
    atomic_uint turn;
    int item;
};

static struct cell cells[SIZE];
static atomic_uint head, tail;
static int got[2];

/* Claims the next cell of one end of the queue, whose turn is `lead` ahead of its position. */
static struct cell *claim(atomic_uint *end, unsigned lead, unsigned *position)
{
    unsigned at = atomic_load_explicit(end, memory_order_relaxed);
    for (;;) {
        struct cell *cell = &cells[at % SIZE];
        int ahead = (int)(atomic_load_explicit(&cell->turn, memory_order_acquire) - (at + lead));
        if (ahead < 0)
            return NULL;
        if (ahead > 0) {
            at = atomic_load_explicit(end, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(end, &at, at + 1, memory_order_relaxed, memory_order_relaxed)) {
            *position = at;
            return cell;
        }
    }
}

static bool put(int item)
{
    unsigned at;
    struct cell *cell = claim(&tail, 0, &at);
    if (cell == NULL)
        return false;
    cell->item = item;
    atomic_store_explicit(&cell->turn, at + 1, memory_order_relaxed);
    return true;
}

static bool get(int *item)
{
    unsigned at;
    struct cell *cell = claim(&head, 1, &at);
    if (cell == NULL)
        return false;
    *item = cell->item;
    atomic_store_explicit(&cell->turn, at + SIZE, memory_order_relaxed);
    return true;
}

static void *thread(void *arg)
{
    intptr_t me = (intptr_t)arg;
    while (!put((int)me + 1))
        ;
    while (!get(&got[me]))
        ;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (unsigned i = 0; i < SIZE; i++)
        atomic_init(&cells[i].turn, i);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(got[0] + got[1] == 3 && got[0] * got[1] == 2);
    return 0;
}
