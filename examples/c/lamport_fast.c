// Lamport's fast lock (L. Lamport, "A fast mutual exclusion algorithm", 1987): two loads and five stores if no
// other thread wants in.
//
// A thread signs x, looks whether y is free, signs y, and looks whether x still has its name. Only if another
// thread came in between does it wait for all the others.
//
// SC        mutual exclusion: no increment is lost.
// TSO, PSO  broken: a signature waits in the buffer while the thread looks at the other variable. A full fence
//           after each signature fixes it: lamport_fast_fenced.c.
//
// expect: sc holds
// expect: tso violated
// expect: pso violated
// fences: tso 2
// fences: pso 2

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
        if (get(&y) != NOBODY) {
            atomic_store_explicit(&busy[me], false, memory_order_release);
            while (get(&y) != NOBODY)
                ;
            continue;
        }
        atomic_store_explicit(&y, me, memory_order_release);
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
