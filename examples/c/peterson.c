// Peterson's lock for two threads (G. L. Peterson, "Myths about the mutual exclusion problem", 1981), with acquire
// and release, which look strong enough and are not.
//
// SC        mutual exclusion: no increment is lost.
// TSO, PSO  broken: both stores of lock() wait in the buffer while the thread reads the other's old flag, and both
//           threads get in. One full fence after the store to turn fixes it: peterson_fenced.c.
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

static void lock(int me)
{
    int other = 1 - me;
    atomic_store_explicit(&flag[me], true, memory_order_release);
    atomic_store_explicit(&turn, other, memory_order_release);
    while (atomic_load_explicit(&flag[other], memory_order_acquire)
           && atomic_load_explicit(&turn, memory_order_acquire) == other)
        ;
}

static void unlock(int me)
{
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
