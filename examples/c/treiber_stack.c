// Treiber's stack (R. K. Treiber, 1986), with nodes from malloc.
//
// Both threads push a number and pop one. A node that was popped is freed after both have ended. What happens if it
// is freed, or pushed again, at once: treiber_stack_free.c, treiber_stack_aba.c.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int item;
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node *popped[2];

static void push(struct node *node)
{
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release, memory_order_relaxed))
        ;
}

static struct node *pop(void)
{
    struct node *first = atomic_load_explicit(&top, memory_order_acquire);
    while (first != NULL
           && !atomic_compare_exchange_weak_explicit(&top, &first, first->next, memory_order_acquire, memory_order_acquire))
        ;
    return first;
}

static void *thread(void *arg)
{
    intptr_t me = (intptr_t)arg;
    struct node *node = malloc(sizeof(struct node));
    node->item = (int)me + 1;
    push(node);
    popped[me] = pop();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(popped[0]->item + popped[1]->item == 3 && popped[0] != popped[1]);
    assert(atomic_load(&top) == NULL);
    free(popped[0]);
    free(popped[1]);
    return 0;
}
