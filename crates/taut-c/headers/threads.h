/* Taut's <threads.h>. The functions are defined in runtime/. */
#ifndef __TAUT_THREADS_H
#define __TAUT_THREADS_H
#include <time.h>
#define thread_local _Thread_local
#define ONCE_FLAG_INIT 0
#define TSS_DTOR_ITERATIONS 4
typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef struct __taut_mutex mtx_t;
typedef struct __taut_cond cnd_t;
typedef unsigned int tss_t;
typedef void (*tss_dtor_t)(void *);
typedef int once_flag;
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
int thrd_create(thrd_t *thread, thrd_start_t start, void *arg);
int thrd_join(thrd_t thread, int *result);
int thrd_detach(thrd_t thread);
_Noreturn void thrd_exit(int result);
thrd_t thrd_current(void);
int thrd_equal(thrd_t a, thrd_t b);
void thrd_yield(void);
int thrd_sleep(const struct timespec *duration, struct timespec *rest);
int mtx_init(mtx_t *mutex, int kind);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_trylock(mtx_t *mutex);
int mtx_timedlock(mtx_t *mutex, const struct timespec *time);
int mtx_unlock(mtx_t *mutex);
int cnd_init(cnd_t *cond);
void cnd_destroy(cnd_t *cond);
int cnd_wait(cnd_t *cond, mtx_t *mutex);
int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *time);
int cnd_signal(cnd_t *cond);
int cnd_broadcast(cnd_t *cond);
int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);
void call_once(once_flag *once, void (*function)(void));
#endif
