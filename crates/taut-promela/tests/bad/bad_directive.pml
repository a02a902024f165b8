#defin N 3
#include nothing
#define 3 4
#ifdef
#endif
init { skip }
