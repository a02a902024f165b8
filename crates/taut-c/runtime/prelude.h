/* Types of Taut's own functions, and the operations that they are made of. */
enum { __TAUT_RECURSIVE = 1, __TAUT_ERRORCHECK = 2 };
/* owner: 0, or 1 + the number of the thread that holds it. */
struct __taut_mutex {
  int owner;
#ifdef KINDS
  int kind;
  int count;
#endif
};
struct __taut_mutexattr { int kind; };
struct __taut_attr { int unused; };
/* waiting: one bit per thread that waits. */
struct __taut_cond { unsigned long waiting; };
struct __taut_barrier { unsigned count; unsigned arrived; unsigned long waiting; };
struct __taut_rwlock { int writer; int readers; };
struct __taut_sem { int value; };
typedef void (*__taut_destroyer)(void *);

void __taut_when(int condition);
void __taut_atomic_begin(void);
void __taut_atomic_end(void);
int __taut_self(void);
int __taut_create(void *(*start)(void *), void *arg);
void *__taut_join(int thread);
void __taut_exit_thread(void *result);
void __taut_exit(void);
void __taut_assume(int condition);
void __taut_assert(int condition, const char *text);
void __taut_fail(const char *text);
int __taut_choose(void);
long __taut_nondet(long low, long high);
void __taut_fence(int kind);
void __taut_yield(void);
void __taut_destructor(void (*function)(void *), unsigned long size);
