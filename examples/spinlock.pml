/*
 * A spin lock by compare-and-swap that guards a number, released by a plain store.
 *
 * SC and TSO: each process sees the increment of the one before, because the release is stored after the
 * number and reaches memory after it. PSO: the release can overtake the number, and the second process
 * adds to an old one. With -D FENCED a store fence keeps them in order.
 *
 * `taut header -o taut.h` writes the header with which SPIN runs the same file.
 */
#include "taut.h"

bool lock;
byte number;
ghost byte done;

active [2] proctype adder() {
	bool mine;
	do
	:: mine = CAS(lock, 0, 1);
	   if
	   :: mine -> break
	   :: else
	   fi
	od;
	assert(number == done);
	number++;
	done++;
#ifdef FENCED
	SFENCE();
#endif
	lock = 0
}
