/*
 * Store buffering in the dialect of mmlib, a library that writes store buffers out in plain Promela.
 *
 * The macros name variables by number, and the header chooses the memory model: `taut check` on this file
 * checks TSO with two entries per buffer, and --model sc or pso overrides that. Taut does not read the
 * header: reads, writes and fences are its own.
 *
 * TSO and PSO: both processes can read 0. With -D FENCED or under SC one of them reads 1.
 */
#define PROCSIZE 3
#define VARSIZE 2
#define BUFFSIZE 2
#define x 0
#define y 1
#include "tso.h"

#ifdef FENCED
#define BETWEEN FENCE()
#else
#define BETWEEN skip
#endif

proctype left() {
	WRITE(x, 1);
	BETWEEN;
	if
	:: READ(y) == 0 -> missed: skip
	:: else
	fi
}

proctype right() {
	WRITE(y, 1);
	BETWEEN;
	if
	:: READ(x) == 0 -> missed: skip
	:: else
	fi
}

proctype watcher() {
	end: atomic { (left@missed && right@missed) -> assert(false) }
}

init {
	atomic { run left(); run right(); run watcher() }
}
