/*
 * A spin lock by compare-and-swap for any number of processes, released by a plain store.
 *
 * The data is 0 outside of the critical section. SC and TSO: a process that has the lock finds it so, since the release
 * reaches memory after the stores of the critical section. `active [*]` is Taut's own: SPIN wants a number.
 *
 * expect: sc holds
 * expect: tso holds
 */
#include "taut.h"

bool lock;
bool data;

active [*] proctype user() {
	bool mine;
	do
	:: mine = CAS(lock, 0, 1);
	   if
	   :: mine ->
		assert(data == 0);
		data = 1;
		data = 0;
		lock = 0
	   :: else
	   fi
	od
}
