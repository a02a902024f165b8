// A mutex over a futex, as U. Drepper tells it in "Futexes are tricky" (2011): 0 is free, 1 is taken, 2 is taken
// and perhaps waited for. Only then does unlock() call the kernel.
//
// The kernel's part is written with a mutex and a condition, so that the program runs everywhere: futex_wait()
// sleeps if the word still has the expected value, futex_wake() wakes one that sleeps. Deadlock is the interesting
// question: is a wake-up ever lost?
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t kernel = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sleepers = PTHREAD_COND_INITIALIZER;
static atomic_int word;
static int counter;

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
    int seen = 0;
    if (atomic_compare_exchange_strong_explicit(&word, &seen, 1, memory_order_acquire, memory_order_relaxed))
        return;
    while (atomic_exchange_explicit(&word, 2, memory_order_acquire) != 0)
        futex_wait(&word, 2);
}

static void unlock(void)
{
    if (atomic_exchange_explicit(&word, 0, memory_order_release) == 2)
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
