#define PROCSIZE 1
#define VARSIZE 2
#define BUFFSIZE 2
#define flag 2
#include "tso.h"
proctype P() { WRITE(flag, 1); READ(flag) == 1 }
init { run P(); run P() }
