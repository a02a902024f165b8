// The queue lock of Mellor-Crummey and Scott with relaxed stores; see mcs_lock.c.
//
// TSO keeps stores in order. Under PSO the next thread can be woken before the data is in memory. One store fence
// (a release fence) before the last store of unlock() fixes it. The other release store may stay relaxed: what the
// waiting thread has written before it is already in memory, because an exchange drains the buffer.
//
// expect: sc holds
// expect: tso holds
// expect: pso violated
// expect: sc violated race
// fences: pso 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_bool waits;
};

static _Atomic(struct node *) tail;
static int counter;

static void lock(struct node *mine)
{
    atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&mine->waits, true, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    if (before == NULL)
        return;
    atomic_store_explicit(&before->next, mine, memory_order_relaxed);
    while (atomic_load_explicit(&mine->waits, memory_order_acquire))
        ;
}

static void unlock(struct node *mine)
{
    struct node *after = atomic_load_explicit(&mine->next, memory_order_acquire);
    if (after == NULL) {
        struct node *last = mine;
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release, memory_order_relaxed))
            return;
        do
            after = atomic_load_explicit(&mine->next, memory_order_acquire);
        while (after == NULL);
    }
    atomic_store_explicit(&after->waits, false, memory_order_relaxed);
}

static void *thread(void *unused)
{
    struct node mine;
    (void)unused;
    lock(&mine);
    counter++;
    unlock(&mine);
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
