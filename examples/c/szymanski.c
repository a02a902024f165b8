// Szymanski's lock for two threads (B. K. Szymanski, "A simple solution to Lamport's concurrent programming
// problem", 1988): a waiting room with a door that the last one in closes.
//
// SC        mutual exclusion: no increment is lost.
// TSO, PSO  broken: a thread's own state waits in the buffer while it looks at the other's. Full fences at the
//           doors fix it: szymanski_fenced.c.
//
// expect: sc holds
// expect: tso violated
// expect: pso violated
// fences: tso 2
// fences: pso 2

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum state { OUTSIDE, WANTS_IN, WAITS, AT_DOOR, INSIDE };

static _Atomic enum state state[2];
static int counter;

static enum state look(int who)
{
    return atomic_load_explicit(&state[who], memory_order_acquire);
}

static void lock(int me)
{
    int other = 1 - me;
    atomic_store_explicit(&state[me], WANTS_IN, memory_order_release);
    while (look(other) >= AT_DOOR)
        ; /* the door is closed */
    atomic_store_explicit(&state[me], AT_DOOR, memory_order_release);
    if (look(other) == WANTS_IN) {
        atomic_store_explicit(&state[me], WAITS, memory_order_release);
        while (look(other) != INSIDE)
            ; /* until the last one in has closed the door */
    }
    atomic_store_explicit(&state[me], INSIDE, memory_order_release);
    if (me == 1)
        while (look(other) >= WAITS)
            ; /* the lower number first */
}

static void unlock(int me)
{
    if (me == 0)
        for (enum state s = look(1); s == WAITS || s == AT_DOOR; s = look(1))
            ; /* those in the waiting room have seen the door closed */
    atomic_store_explicit(&state[me], OUTSIDE, memory_order_release);
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
