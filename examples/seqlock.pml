/*
 * A sequence lock: readers never write, and try again if the data has changed; see seqlock.taut.
 *
 * SC and TSO: what a reader accepts is whole. PSO: the data can be seen before the number is odd, or after it is
 * even again, and a reader accepts two halves that do not belong together. With -D FENCED two store fences, the
 * smp_wmb() of Linux, keep them in order.
 *
 * `taut header -o taut.h` writes the header with which SPIN runs the same file.
 */
#include "taut.h"

#ifdef FENCED
#define IN_ORDER SFENCE()
#else
#define IN_ORDER skip
#endif

#define ROUNDS 2

byte number, x, y;

active proctype writer() {
	byte round = 1;
	do
	:: round <= ROUNDS ->
	   number++;
	   IN_ORDER;
	   x = round;
	   y = round;
	   IN_ORDER;
	   number++;
	   round++
	:: else -> break
	od
}

active proctype reader() {
	byte before, a, b;
again:
	before = number;
	if
	:: before % 2 == 1 -> goto again
	:: else
	fi;
	a = x;
	b = y;
	if
	:: number != before -> goto again
	:: else
	fi;
	assert(a == b)
}
