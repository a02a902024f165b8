/*
 * Two writers who have nothing to do with each other, as in lw_two_writers.taut: the smallest program whose
 * buffers grow without end.
 *
 * A. Linden, P. Wolper: An automata-based symbolic approach for verifying programs on relaxed memory
 * models. SPIN 2010, Figure 2 of the final version.
 *
 * SC: if both have raised, memory shows it. TSO and PSO: it need not.
 */
bool x, y;

active proctype p() {
	do
	:: x = 1;
raised:	   x = 0
	od
}

active proctype q() {
	do
	:: y = 1;
raised:	   y = 0
	od
}

active proctype watcher() {
	end: atomic { (p@raised && q@raised && x == 0 && y == 0) -> assert(false) }
}
