// Double-checked initialisation: the first thread that needs the table makes it, the others find it without a lock.
//
// The release store keeps the table before the pointer to it; a thread that finds the pointer finds all of the
// table.
//
// expect: all holds

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
        atomic_store_explicit(&table, t, memory_order_release);
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
