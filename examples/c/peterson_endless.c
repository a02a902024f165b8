// Peterson's lock with its fence, entered any number of times; see peterson.c.
//
// The threads go on until main tells them to stop, which may be never: there is no bound on the number of entries, and
// none is needed for the proof.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool flag[2];
static atomic_int turn;
static atomic_bool stop;
static int inside;

static void lock(int me)
{
    int other = 1 - me;
    atomic_store_explicit(&flag[me], true, memory_order_release);
    atomic_store_explicit(&turn, other, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
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
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        lock(me);
        assert(inside == 0);
        inside = 1;
        assert(inside == 1);
        inside = 0;
        unlock(me);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    atomic_store_explicit(&stop, true, memory_order_relaxed);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
