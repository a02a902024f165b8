// Treiber's stack that frees a node as soon as it is popped; see treiber_stack.c.
//
// Broken under every memory model: while one thread is about to read first->next, the other pops the same node and
// frees it. (If malloc gives the same node to the next push, the compare-exchange does not even notice.) Hazard
// pointers are a remedy: hazard_pointers_fenced.c.
//
// expect: all violated
// expect: sc violated race

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int item;
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(int item)
{
    struct node *node = malloc(sizeof(struct node));
    node->item = item;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &node->next, node))
        ;
}

static int pop(void)
{
    struct node *first = atomic_load(&top);
    while (first != NULL && !atomic_compare_exchange_weak(&top, &first, first->next))
        ;
    if (first == NULL)
        return 0;
    int item = first->item;
    free(first);
    return item;
}

static void *thread(void *arg)
{
    push(*(int *)arg);
    pop();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int items[2] = { 1, 2 };
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, &items[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
