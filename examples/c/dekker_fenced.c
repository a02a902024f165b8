// Dekker's lock with a full fence wherever the flag is raised; see dekker.c.
//
// Only the stores that lower the flag are release stores: the last one keeps the data, and the turn, before the
// flag.
//
// expect: all holds

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
    atomic_thread_fence(memory_order_seq_cst);
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
