// Szymanski's lock with its fences, entered any number of times; see szymanski.c.
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

enum state { OUTSIDE, WANTS_IN, WAITS, AT_DOOR, INSIDE };

static _Atomic enum state state[2];
static atomic_bool stop;
static int inside;

static enum state look(int who)
{
    return atomic_load_explicit(&state[who], memory_order_acquire);
}

static void lock(int me)
{
    int other = 1 - me;
    atomic_store_explicit(&state[me], WANTS_IN, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    while (look(other) >= AT_DOOR)
        ; /* the door is closed */
    atomic_store_explicit(&state[me], AT_DOOR, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
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
