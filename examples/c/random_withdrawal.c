// Two threads withdraw amounts that come from outside.
//
// A withdrawal takes the amount only if the balance has it, in one compare-and-swap. The amounts are any numbers: Taut tries some
// of them, and the coverage says which.
//
// SC, TSO, PSO: the balance is never negative.
//
// expect: all holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_int balance = 2;

static bool withdraw(int amount)
{
    int seen = atomic_load_explicit(&balance, memory_order_relaxed);
    do {
        if (amount > seen)
            return false;
    } while (!atomic_compare_exchange_weak(&balance, &seen, seen - amount));
    return true;
}

static void *customer(void *arg)
{
    (void)arg;
    int amount = rand();
    if (amount > 2)
        amount = 2;
    if (withdraw(amount))
        assert(atomic_load(&balance) >= 0);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, customer, NULL);
    pthread_create(&second, NULL, customer, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&balance) >= 0);
    return 0;
}
