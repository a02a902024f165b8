/* Taut's <semaphore.h>. */
#ifndef __TAUT_SEMAPHORE_H
#define __TAUT_SEMAPHORE_H
#include <time.h>
typedef struct __taut_sem sem_t;
#define SEM_VALUE_MAX 2147483647
int sem_init(sem_t *sem, int shared, unsigned value);
int sem_destroy(sem_t *sem);
int sem_wait(sem_t *sem);
int sem_trywait(sem_t *sem);
int sem_timedwait(sem_t *sem, const struct timespec *time);
int sem_post(sem_t *sem);
int sem_getvalue(sem_t *sem, int *value);
#endif
