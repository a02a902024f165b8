/* A bounded queue with a sequence number per cell (Vyukov): THREADS threads put one item and take one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIZE 2

struct cell {
    atomic_uint number;
    int item;
};

static struct cell cells[SIZE] = { { 0, 0 }, { 1, 0 } };
static atomic_uint tail, head;
static atomic_int taken[THREADS];

static bool put(int item)
{
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    struct cell *cell = &cells[at % SIZE];
    if (atomic_load_explicit(&cell->number, memory_order_acquire) != at)
        return false;
    if (!atomic_compare_exchange_strong_explicit(&tail, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
        return false;
    cell->item = item;
    atomic_store_explicit(&cell->number, at + 1, memory_order_release);
    return true;
}

static bool get(int *item)
{
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    struct cell *cell = &cells[at % SIZE];
    if (atomic_load_explicit(&cell->number, memory_order_acquire) != at + 1)
        return false;
    if (!atomic_compare_exchange_strong_explicit(&head, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
        return false;
    *item = cell->item;
    atomic_store_explicit(&cell->number, at + SIZE, memory_order_release);
    return true;
}

static void *thread(void *arg)
{
    int item = 0;
    while (!put((int)(intptr_t)arg))
        ;
    while (!get(&item))
        ;
    atomic_fetch_add(&taken[item], 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert(atomic_load(&taken[i]) == 1);
    return 0;
}
