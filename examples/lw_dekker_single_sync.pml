/*
 * Dekker's algorithm, one entry for each process, with a sync after the flag is raised:
 * lw_dekker_single_sync.taut in Promela.
 *
 * A. Linden, P. Wolper: An automata-based symbolic approach for verifying programs on relaxed memory
 * models. SPIN 2010, Table 2.
 *
 * SC, TSO and PSO: mutual exclusion holds, for buffers of any size.
 */
#include "taut.h"

bool flag[2];
bit turn;

active [2] proctype p() {
enter:	flag[_pid] = 1;
	SYNC();
	do
	:: flag[1 - _pid] == 0 -> break
	:: flag[1 - _pid] == 1 ->
	   if
	   :: turn == _pid
	   :: turn == 1 - _pid ->
	      flag[_pid] = 0;
	      turn == _pid;
	      goto enter
	   fi
	od;
cs:	turn = 1 - _pid;
	flag[_pid] = 0
}

active proctype watcher() {
	end: atomic { (p[0]@cs && p[1]@cs) -> assert(false) }
}
