/*
 * Two storing loops, one after the other, as in two_loops.taut: a buffer of `p` is a word of (x,1)*(y,1)*.
 *
 * SC and TSO: `q` never comes to its end, for buffers of any size, because y = 1 is seen after the last x = 1.
 * PSO: it does, because x and y have buffers of their own.
 */
#include "taut.h"

bool x, y = 1;

active proctype p() {
	do
	:: x = 1
	:: break
	od;
	do
	:: y = 1
	od
}

active proctype q() {
	x == 1;
	y = 0;
	FENCE();
	y == 1;
	x = 0;
	FENCE();
	x == 1;
	assert(false)
}
