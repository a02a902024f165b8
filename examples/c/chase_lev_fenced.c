// The work-stealing deque of Chase and Lev with its fence; see chase_lev.c.
//
// A thief needs no fence on TSO and PSO, where loads stay in order. (On ARM it does.)
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define ITEMS 2
#define NONE 0

static atomic_int top, bottom;
static atomic_int items[ITEMS];
static int by_owner[ITEMS + 1], by_thief[ITEMS + 1];

static void push(int item)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&items[b], item, memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static int take(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t < b)
        return atomic_load_explicit(&items[b], memory_order_relaxed);
    int item = NONE;
    if (t == b && atomic_compare_exchange_strong(&top, &t, t + 1)) /* the last one: race with the thieves */
        item = atomic_load_explicit(&items[b], memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return item;
}

static int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return NONE;
    int item = atomic_load_explicit(&items[t], memory_order_relaxed);
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : NONE;
}

static void *owner(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        push(i);
    for (int item = take(); item != NONE; item = take())
        by_owner[item]++;
    return NULL;
}

static void *thief(void *unused)
{
    (void)unused;
    for (int i = 0; i < ITEMS; i++)
        by_thief[steal()]++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 1; i <= ITEMS; i++)
        assert(by_owner[i] + by_thief[i] == 1);
    return 0;
}
