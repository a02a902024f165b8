// Szymanski's lock with the two full fences that TSO and PSO need; see szymanski.c.
//
// A thread must be seen outside before it looks at the entrance, and seen at the door before it looks around.
// For any number of entries: szymanski_endless.c.
//
// expect: all holds

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
