/*
 * A tree of workers, each started by another one while it runs: no proctype here is `active`, and nobody says
 * how many workers there are at most. Taut finds out and gives the program as many as it needs.
 *
 * Each worker adds 1 to a shared number by a locked instruction, starts two workers below it and waits for
 * their answers. When the root has ended, the number is right, under SC, TSO and PSO.
 */
#include "taut.h"

#define DEPTH 2

byte number;

proctype worker(byte depth; chan done) {
	chan below = [2] of { bit };
	byte old;
	old = FETCH_ADD(number, 1);
	if
	:: depth < DEPTH ->
	   run worker(depth + 1, below);
	   run worker(depth + 1, below);
	   below?_;
	   below?_
	:: else
	fi;
	done!0
}

init {
	chan done = [1] of { bit };
	run worker(1, done);
	done?_;
	assert(number == 3);
	_nr_pr == 1
}
