/*
 * A loop whose stores let the other loop run, as in lw_unlock.taut.
 *
 * A. Linden, P. Wolper: An automata-based symbolic approach for verifying programs on relaxed memory
 * models. SPIN 2010, Figure 4 of the final version.
 *
 * SC: there is a deadlock, and the processes are never both at the start with x = y = 0 in memory. TSO and
 * PSO: there is a deadlock, and they can be there: `q` lives from the rounds that `p` has in its buffer.
 */
bool x = 1, y = 1;

active proctype p() {
start:	x = 1;
	y == 1;
	x = 0;
	y == 1;
	goto start
}

active proctype q() {
start:	y = 1;
	x == 0;
	y = 0;
	x == 1;
	goto start
}

active proctype watcher() {
	end: atomic { (p@start && q@start && x == 0 && y == 0) -> assert(false) }
}
