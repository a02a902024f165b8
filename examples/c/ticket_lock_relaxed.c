// A ticket lock that calls the next number with a relaxed store; see ticket_lock.c.
//
// TSO keeps stores in order, and nothing is lost. Under PSO the next number can be seen before the data, and the
// next thread counts on from an old value. A store fence (a release fence) before the store of unlock() fixes it.
//
// expect: sc holds
// expect: tso holds
// expect: pso violated
// expect: sc violated race
// fences: pso 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 2

struct ticket_lock {
    atomic_uint next;
    atomic_uint serving;
};

static struct ticket_lock the_lock;
static int counter;

static void lock(struct ticket_lock *l)
{
    unsigned mine = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&l->serving, memory_order_acquire) != mine)
        ;
}

static void unlock(struct ticket_lock *l)
{
    unsigned now = atomic_load_explicit(&l->serving, memory_order_relaxed);
    atomic_store_explicit(&l->serving, now + 1, memory_order_relaxed);
}

static void *thread(void *unused)
{
    (void)unused;
    lock(&the_lock);
    counter++;
    unlock(&the_lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS);
    return 0;
}
