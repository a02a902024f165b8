// A spin lock by atomic_flag, the one atomic type that every C11 implementation has without a lock.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 3

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int balance = 10;

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        ;
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&taken, memory_order_release);
}

static void *thread(void *arg)
{
    int *amount = arg;
    lock();
    balance += *amount;
    unlock();
    return NULL;
}

int main(void)
{
    static int amounts[THREADS] = { 5, -3, 1 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, &amounts[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(balance == 13);
    return 0;
}
