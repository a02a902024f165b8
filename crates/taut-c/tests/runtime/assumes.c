// What is assumed is true afterwards.
// expect: all holds
#include <assert.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
static void assume_not(int c) {
  if (c)
    abort();
}
int main(void) {
  int c = __VERIFIER_nondet_bool();
  assume_not(c);
  assert(!c);
  int d = __VERIFIER_nondet_bool();
  __VERIFIER_assume(d);
  assert(d);
  return 0;
}
