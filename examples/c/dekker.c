// Dekker's lock for two threads (as told by E. W. Dijkstra, "Cooperating sequential processes", 1965), the first of
// all.
//
// A thread raises its flag. If the other's is up, too, the one whose turn it is not lowers its flag and waits.
//
// SC        mutual exclusion: no increment is lost.
// TSO, PSO  broken: the raised flag waits in the buffer while the thread looks at the other's. A full fence in
//           raise_flag() fixes it: dekker_fenced.c.
//
// expect: sc holds
// expect: tso violated
// expect: pso violated
// fences: tso 1
// fences: pso 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool flag[2];
static atomic_int turn;
static int counter;

static void raise_flag(int me)
{
    atomic_store_explicit(&flag[me], true, memory_order_relaxed);
}

static void lock(int me)
{
    int other = 1 - me;
    raise_flag(me);
    while (atomic_load_explicit(&flag[other], memory_order_acquire)) {
        if (atomic_load_explicit(&turn, memory_order_relaxed) == me)
            continue;
        atomic_store_explicit(&flag[me], false, memory_order_release);
        while (atomic_load_explicit(&turn, memory_order_relaxed) != me)
            ;
        raise_flag(me);
    }
}

static void unlock(int me)
{
    atomic_store_explicit(&turn, 1 - me, memory_order_relaxed);
    atomic_store_explicit(&flag[me], false, memory_order_release);
}

static void *thread(void *arg)
{
    int me = (int)(intptr_t)arg;
    lock(me);
    counter++;
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
