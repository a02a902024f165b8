/*
 * Peterson's algorithm, one entry for each process, in single loads and
 * stores: lw_peterson_single.taut in Promela.
 *
 * A. Linden, P. Wolper: An automata-based symbolic approach for verifying programs on relaxed memory
 * models. SPIN 2010, Table 2.
 *
 * SC: mutual exclusion holds. TSO and PSO: both flags wait in the buffers when each looks at the other's.
 */
bool flag[2];
bit turn;

active [2] proctype p() {
	flag[_pid] = 1;
	turn = 1 - _pid;
	if
	:: flag[1 - _pid] == 0
	:: turn == _pid
	fi;
cs:	flag[_pid] = 0
}

active proctype watcher() {
	end: atomic { (p[0]@cs && p[1]@cs) -> assert(false) }
}
