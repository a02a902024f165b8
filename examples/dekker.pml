/*
 * Dekker's lock, once each process, with and without the fences that it needs.
 *
 * E. W. Dijkstra: Cooperating sequential processes, 1965.
 *
 * SC: mutual exclusion holds. TSO and PSO: a flag that waits in the buffer keeps nobody out, and both
 * get in. With -D FENCED a fence follows every store to a flag, and it holds under all three.
 *
 * `inside` is a ghost: an observer's variable, which no buffer delays.
 */
#include "taut.h"

#ifdef FENCED
#define AFTER_FLAG FENCE()
#else
#define AFTER_FLAG skip
#endif

bool wants[2];
byte turn;
ghost byte inside;

active [2] proctype user() {
	byte other = 1 - _pid;
	wants[_pid] = true;
	AFTER_FLAG;
	do
	:: wants[other] ->
	   if
	   :: turn == other ->
	      wants[_pid] = false;
	      turn == _pid;
	      wants[_pid] = true;
	      AFTER_FLAG
	   :: else
	   fi
	:: else -> break
	od;
	inside++;
	assert(inside == 1);
	inside--;
	turn = other;
	wants[_pid] = false
}
