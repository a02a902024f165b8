/*
 * A spin lock with the usual counter of processes in the critical section. The lock is right; the counter is an
 * ordinary variable, whose last store can reach memory after the lock is free.
 */
#include "taut.h"

bool lock;
byte critical;

active [2] proctype p() {
	bool mine;
	do
	:: mine = CAS(lock, 0, 1);
	   if
	   :: mine -> break
	   :: else
	   fi
	od;
	critical++;
	assert(critical == 1);
	critical--;
	lock = 0
}
