// A semaphore lets one thread in for each post.
// expect: all holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int data;
static void *producer(void *arg) {
  data = 5;
  sem_post(&s);
  return arg;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, producer, 0);
  if (sem_trywait(&s) == -1) {
    assert(errno == EAGAIN);
    sem_wait(&s);
  }
  assert(data == 5);
  int left;
  sem_getvalue(&s, &left);
  assert(left == 0);
  pthread_join(t, 0);
  return 0;
}
