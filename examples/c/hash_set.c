// A set of numbers in an array: open addressing, one compare-and-swap per insertion.
//
// A slot goes from 0 to a key once and never back, so a key that was found stays found, and two threads that insert the
// same key meet at the same slot.
//
// SC, TSO, PSO: every key is inserted by one thread, and found afterwards.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLOTS 4

static _Atomic uint32_t slots[SLOTS];
static int inserted[2];

static uint32_t first_slot(uint32_t key)
{
    return key * UINT32_C(2654435761) >> 7 & (SLOTS - 1);
}

static bool insert(uint32_t key)
{
    uint32_t at = first_slot(key);
    for (int probes = 0; probes < SLOTS; probes++, at = (at + 1) & (SLOTS - 1)) {
        uint32_t seen = 0;
        if (atomic_compare_exchange_strong(&slots[at], &seen, key))
            return true;
        if (seen == key)
            return false;
    }
    return false;
}

static bool contains(uint32_t key)
{
    uint32_t at = first_slot(key);
    for (int probes = 0; probes < SLOTS; probes++, at = (at + 1) & (SLOTS - 1)) {
        uint32_t seen = atomic_load_explicit(&slots[at], memory_order_acquire);
        if (seen == key || seen == 0)
            return seen == key;
    }
    return false;
}

static void *run(void *arg)
{
    ptrdiff_t me = (ptrdiff_t)arg;
    for (uint32_t key = 1; key <= 2; key++)
        if (insert(key))
            inserted[me]++;
    assert(contains(1));
    assert(contains(2));
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (ptrdiff_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(inserted[0] + inserted[1] == 2);
    assert(!contains(3));
    return 0;
}
