/* Treiber's stack: THREADS threads push a node from malloc and pop one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int item;
};

static _Atomic(struct node *) top;
static atomic_int popped[THREADS];

static void push(int item)
{
    struct node *node = malloc(sizeof(struct node));
    struct node *first = atomic_load_explicit(&top, memory_order_relaxed);
    node->item = item;
    do
        node->next = first;
    while (!atomic_compare_exchange_weak_explicit(&top, &first, node, memory_order_release, memory_order_relaxed));
}

static int pop(void)
{
    struct node *first = atomic_load_explicit(&top, memory_order_acquire);
    while (!atomic_compare_exchange_weak_explicit(&top, &first, first->next, memory_order_acquire, memory_order_acquire))
        ;
    return first->item;
}

static void *thread(void *arg)
{
    push((int)(intptr_t)arg);
    atomic_fetch_add(&popped[pop()], 1);
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
        assert(atomic_load(&popped[i]) == 1);
    return 0;
}
