// Lamport's fast lock with a full fence after each signature; see lamport_fast.c.
//
// The release stores keep all stores of a thread in order, so that the fences of TSO are enough under PSO.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define THREADS 2
#define NOBODY 0

static atomic_int x, y;
static atomic_bool busy[THREADS + 1];
static int counter;

static int get(atomic_int *variable)
{
    return atomic_load_explicit(variable, memory_order_acquire);
}

static void lock(int me)
{
    for (;;) {
        atomic_store_explicit(&busy[me], true, memory_order_release);
        atomic_store_explicit(&x, me, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst);
        if (get(&y) != NOBODY) {
            atomic_store_explicit(&busy[me], false, memory_order_release);
            while (get(&y) != NOBODY)
                ;
            continue;
        }
        atomic_store_explicit(&y, me, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst);
        if (get(&x) == me)
            return; /* the fast way */
        atomic_store_explicit(&busy[me], false, memory_order_release);
        for (int i = 1; i <= THREADS; i++)
            while (atomic_load_explicit(&busy[i], memory_order_acquire))
                ;
        if (get(&y) == me)
            return;
        while (get(&y) != NOBODY)
            ;
    }
}

static void unlock(int me)
{
    atomic_store_explicit(&y, NOBODY, memory_order_release);
    atomic_store_explicit(&busy[me], false, memory_order_release);
}

static void *thread(void *arg)
{
    int me = *(int *)arg;
    lock(me);
    counter++;
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int names[THREADS] = { 1, 2 };
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, &names[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS);
    return 0;
}
