/*
 * The lock that most Promela models use: test and set inside `atomic`.
 *
 * SC: right. TSO and PSO: `atomic` keeps other processes from running, but what it stores goes into the
 * store buffer like any other store, and while it waits there the lock looks free to everybody else. No
 * processor has such an instruction, and Taut warns of it. With -D LOCKED_INSTRUCTION the lock is taken
 * by one locked instruction, and it is right under all three.
 */
#include "taut.h"

bool lock;
ghost byte inside;

active [2] proctype user() {
	do
	::
#ifdef LOCKED_INSTRUCTION
	   LOCKED { !lock; lock = true };
#else
	   atomic { !lock; lock = true };
#endif
	   inside++;
	   assert(inside == 1);
	   inside--;
	   lock = false
	od
}
