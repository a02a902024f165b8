// Peterson's lock with the full fence that TSO needs; see peterson.c.
//
// The fence makes the thread's own flag and turn visible before it looks at the other's. The release stores keep
// the flag before the turn under PSO, and the data before the flag on the way out.
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
