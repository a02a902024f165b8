// A mutex over a futex that counts its waiters, and loses a wake-up on every processor with store buffers.
//
// unlock() frees the word and then looks whether a thread waits. A thread that waits counts itself and then looks
// whether the word is free. This is store buffering: if unlock() looks before its store is in memory, it sees no
// waiter, the waiter sees a taken word, and sleeps for ever.
//
// SC        no wake-up is lost.
// TSO, PSO  deadlock. A full fence after the store of unlock() fixes it: waiters_mutex_fenced.c.
//
// expect: sc holds
// expect: tso violated deadlock
// expect: pso violated deadlock
// fences: tso 1
// fences: pso 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t kernel = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sleepers = PTHREAD_COND_INITIALIZER;
static atomic_int word, waiters;
static int counter;

/* The kernel's part: sleeps if the word has the expected value. */
static void futex_wait(atomic_int *futex, int expected)
{
    pthread_mutex_lock(&kernel);
    if (atomic_load(futex) == expected)
        pthread_cond_wait(&sleepers, &kernel);
    pthread_mutex_unlock(&kernel);
}

static void futex_wake(void)
{
    pthread_mutex_lock(&kernel);
    pthread_cond_signal(&sleepers);
    pthread_mutex_unlock(&kernel);
}

static void lock(void)
{
    while (atomic_exchange_explicit(&word, 1, memory_order_acquire) != 0) {
        atomic_fetch_add(&waiters, 1);
        futex_wait(&word, 1);
        atomic_fetch_sub(&waiters, 1);
    }
}

static void unlock(void)
{
    atomic_store_explicit(&word, 0, memory_order_release);
    if (atomic_load_explicit(&waiters, memory_order_acquire) > 0)
        futex_wake();
}

static void *thread(void *unused)
{
    (void)unused;
    lock();
    counter++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
