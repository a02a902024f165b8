// A counter by flat combining: one thread does the work of all.
//
// D. Hendler, I. Incze, N. Shavit and M. Tzafrir, "Flat combining and the synchronization-parallelism tradeoff", SPAA 2010. A thread
// writes its request into a record of its own. Whoever gets the lock serves all requests that it finds.
//
// SC, TSO, PSO: every request is served once.
//
// expect: all holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 2

struct record {
    atomic_int request;
    int result;
};

static struct record records[THREADS];
static atomic_flag combining = ATOMIC_FLAG_INIT;
static int counter;
static int result[THREADS];

static void combine(void)
{
    for (int i = 0; i < THREADS; i++)
        if (atomic_load_explicit(&records[i].request, memory_order_acquire)) {
            records[i].result = ++counter;
            atomic_store_explicit(&records[i].request, 0, memory_order_release);
        }
}

static int increment(struct record *mine)
{
    atomic_store_explicit(&mine->request, 1, memory_order_release);
    while (atomic_load_explicit(&mine->request, memory_order_acquire))
        if (!atomic_flag_test_and_set_explicit(&combining, memory_order_acquire)) {
            combine();
            atomic_flag_clear_explicit(&combining, memory_order_release);
        }
    return mine->result;
}

static void *run(void *arg)
{
    ptrdiff_t me = (ptrdiff_t)arg;
    result[me] = increment(&records[me]);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (ptrdiff_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS);
    assert(result[0] != result[1]);
    return 0;
}
