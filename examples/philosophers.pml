/*
 * Dining philosophers who all take the left fork first: they can starve with one fork each.
 *
 * A fork is a message that lies in a channel. The deadlock is there under SC, TSO and PSO; --no-deadlock
 * looks away. With -D POLITE the last one takes the right fork first, and nobody starves.
 */
#ifndef N
#define N 3
#endif

chan fork[N] = [1] of { bit };

proctype philosopher(byte left; byte right) {
	do
	:: fork[left]?_;
	   fork[right]?_;
	   fork[right]!0;
	   fork[left]!0
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			fork[i]!0
		}
		for (i : 0 .. N - 2) {
			run philosopher(i, i + 1)
		}
#ifdef POLITE
		run philosopher(0, N - 1)
#else
		run philosopher(N - 1, 0)
#endif
	}
}
