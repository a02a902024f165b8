// A bounded buffer whose consumers ask with `if` instead of `while`; see bounded_buffer.c.
//
// Broken under every memory model: a consumer is woken, but before it has the mutex again, the other consumer comes
// and takes the item. The first one takes an item that is not there.
//
// expect: all violated

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define SIZE 1
#define ITEMS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], count, in, out;
static int sum;

static void put(int item)
{
    pthread_mutex_lock(&mutex);
    while (count == SIZE)
        pthread_cond_wait(&not_full, &mutex);
    buffer[in] = item;
    in = (in + 1) % SIZE;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int get(void)
{
    pthread_mutex_lock(&mutex);
    if (count == 0)
        pthread_cond_wait(&not_empty, &mutex);
    assert(count > 0);
    int item = buffer[out];
    out = (out + 1) % SIZE;
    count--;
    sum += item;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return item;
}

static void *producer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    int item = get();
    assert(1 <= item && item <= ITEMS);
    return NULL;
}

int main(void)
{
    pthread_t p, c, d;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&d, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    pthread_join(d, NULL);
    assert(sum == ITEMS * (ITEMS + 1) / 2 && count == 0);
    return 0;
}
