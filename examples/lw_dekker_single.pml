/*
 * Dekker's algorithm, one entry for each process, in single loads and
 * stores: lw_dekker_single.taut in Promela.
 *
 * A. Linden, P. Wolper: An automata-based symbolic approach for verifying programs on relaxed memory
 * models. SPIN 2010, Table 2.
 *
 * SC: mutual exclusion holds. TSO and PSO: both flags wait in the buffers when each looks at the other's.
 */
bool flag[2];
bit turn;

active [2] proctype p() {
enter:	flag[_pid] = 1;
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
