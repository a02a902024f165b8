/* Threads that enter a critical section ENTRIES times, or until they are told to stop if ENTRIES is 0. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static int inside;
static atomic_bool stop;

static void lock(int me);
static void unlock(int me);

static void enter(int me)
{
    lock(me);
    assert(inside == 0);
    inside = 1;
    assert(inside == 1);
    inside = 0;
    unlock(me);
}

static void *thread(void *arg)
{
    int me = (int)(intptr_t)arg;
#if ENTRIES
    for (int entry = 0; entry < ENTRIES; entry++)
        enter(me);
#else
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        enter(me);
#endif
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
#if !ENTRIES
    atomic_store_explicit(&stop, true, memory_order_relaxed);
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
