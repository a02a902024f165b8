// The ABA problem of Treiber's stack; see treiber_stack.c.
//
// Broken under every memory model. One thread reads that A is on top and B below it. Before its compare-exchange,
// the other thread pops A, pops B, and pushes A again. A is on top as before, so the compare-exchange succeeds, and
// puts B on the stack, which the other thread owns. No memory is freed too early here: the nodes live as long as
// the program. With a count beside the pointer the compare-exchange notices: treiber_stack_counted.c.
//
// expect: all violated

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) top;
static struct node *popped, *kept;

static void push(struct node *node)
{
    struct node *first = atomic_load(&top);
    do
        atomic_store(&node->next, first);
    while (!atomic_compare_exchange_strong(&top, &first, node));
}

static struct node *pop(void)
{
    struct node *first = atomic_load(&top);
    while (first != NULL && !atomic_compare_exchange_strong(&top, &first, atomic_load(&first->next)))
        ;
    return first;
}

static void *slow(void *unused)
{
    (void)unused;
    popped = pop();
    return NULL;
}

static void *quick(void *unused)
{
    (void)unused;
    struct node *a = pop();
    kept = pop();
    if (a != NULL)
        push(a);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        push(malloc(sizeof(struct node)));
    pthread_t s, q;
    pthread_create(&s, NULL, slow, NULL);
    pthread_create(&q, NULL, quick, NULL);
    pthread_join(s, NULL);
    pthread_join(q, NULL);
    struct node *left = pop();
    assert(popped != left && (kept == NULL || (kept != popped && kept != left)));
    free(popped);
    free(kept);
    free(left);
    return 0;
}
