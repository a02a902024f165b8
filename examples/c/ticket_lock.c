// A ticket lock: first come, first served, as at a counter with numbers.
//
// The fetch-and-add that draws a ticket needs no order of its own. The release store that calls the next number
// keeps the data before it, and the acquire load that sees it keeps the data after it.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 3

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
    atomic_store_explicit(&l->serving, now + 1, memory_order_release);
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
