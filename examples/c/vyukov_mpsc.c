// Vyukov's queue for many producers and one consumer, with its nodes inside of what is queued.
//
// D. Vyukov, "Intrusive MPSC node-based queue", 1024cores.net, 2010. A producer takes the head by one exchange and
// links the node before it afterwards: until then the consumer finds no next node and comes back later. The stub keeps the queue
// from being empty.
//
// SC, TSO, PSO: every item comes out once.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int item;
};

static struct node stub;
static _Atomic(struct node *) head = &stub;
static struct node *tail = &stub;

static void push(struct node *node)
{
    atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&head, node, memory_order_acq_rel);
    atomic_store_explicit(&before->next, node, memory_order_release);
}

static struct node *pop(void)
{
    struct node *first = tail;
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (first == &stub) {
        if (next == NULL)
            return NULL;
        tail = next;
        first = next;
        next = atomic_load_explicit(&next->next, memory_order_acquire);
    }
    if (next != NULL) {
        tail = next;
        return first;
    }
    if (first != atomic_load_explicit(&head, memory_order_acquire))
        return NULL;
    push(&stub);
    next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next == NULL)
        return NULL;
    tail = next;
    return first;
}

static void *producer(void *arg)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        abort();
    node->item = (int)(ptrdiff_t)arg;
    push(node);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    int sum = 0;
    pthread_create(&one, NULL, producer, (void *)(ptrdiff_t)1);
    pthread_create(&two, NULL, producer, (void *)(ptrdiff_t)2);
    for (int taken = 0; taken < 2;) {
        struct node *node = pop();
        if (node != NULL) {
            sum += node->item;
            free(node);
            taken++;
        }
    }
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(sum == 3);
    assert(pop() == NULL);
    return 0;
}
