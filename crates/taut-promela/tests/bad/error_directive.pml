#ifndef N
#error define N first
#endif
init { skip }
