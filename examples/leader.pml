/*
 * Leader election in a ring: each process sends its number to the next one, and passes on what is greater
 * than its own. Only the greatest number comes home.
 *
 * E. Chang, R. Roberts: An improved algorithm for decentralized extrema-finding in circular configurations of
 * processes. Communications of the ACM 22(5), 1979.
 *
 * Exactly one process becomes the leader. The processes share no memory but a ghost, so the verdicts are
 * the same under SC, TSO and PSO.
 */
#include "taut.h"

#define N 4

mtype = { candidate, elected };

chan ring[N] = [N] of { mtype, byte };
ghost byte leaders;

proctype node(chan in; chan out; byte number) {
	byte other;
	out!candidate(number);
	do
	:: in?candidate(other) ->
	   if
	   :: other > number -> out!candidate(other)
	   :: other < number
	   :: other == number ->
	      leaders++;
	      assert(leaders == 1 && number == N);
	      out!elected(number)
	   fi
	:: in?elected(other) ->
	   assert(leaders == 1);
	   if
	   :: other != number -> out!elected(other)
	   :: else
	   fi;
	   break
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			/* 3, 1, 4, 2 */
			run node(ring[i], ring[(i + 1) % N], (i * 3 + 2) % 5 + 1)
		}
	}
}
