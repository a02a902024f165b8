// abort is a violation, except where something is assumed.
// expect: all violated
#include <stdlib.h>
int __VERIFIER_nondet_bool(void);
static void assume_not(int c) {
  if (c)
    abort();
}
int main(void) {
  int c = __VERIFIER_nondet_bool();
  assume_not(c);
  if (!c)
    abort();
  return 0;
}
