/* Four processes count, each on its own: as many states as tuples of numbers. */
#ifndef LIMIT
#define LIMIT 40
#endif

byte x[4];

active [4] proctype counter() {
end:	do
	:: d_step { x[_pid] < LIMIT -> x[_pid]++ }
	od
}
