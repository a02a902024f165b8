// Double-checked initialisation with a relaxed store of the pointer; see double_checked.c.
//
// TSO keeps stores in order. Under PSO the pointer can be seen before what it points to, and a thread uses a table
// that is not made yet. A store fence (a release fence) before the store of the pointer fixes it.
//
// expect: sc holds
// expect: tso holds
// expect: pso violated
// expect: sc violated race
// fences: pso 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
    int size;
    int limit;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct table *) table;

static struct table *get_table(void)
{
    struct table *t = atomic_load_explicit(&table, memory_order_acquire);
    if (t != NULL)
        return t;
    pthread_mutex_lock(&mutex);
    t = atomic_load_explicit(&table, memory_order_relaxed);
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->size = 4;
        t->limit = 3;
        atomic_store_explicit(&table, t, memory_order_relaxed);
    }
    pthread_mutex_unlock(&mutex);
    return t;
}

static void *thread(void *unused)
{
    (void)unused;
    const struct table *t = get_table();
    assert(t->size == 4 && t->limit == 3);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&table));
    return 0;
}
