/*
 * Intra-processor forwarding, as in lw_forwarding.taut: each process sees its own store at once, and neither
 * need see the other's.
 *
 * A. Linden, P. Wolper: An automata-based symbolic approach for verifying programs on relaxed memory
 * models. SPIN 2010, Table 1.
 *
 * SC: they never both finish; `end` marks where a process may wait for ever. TSO and PSO: they can.
 */
bool x, y;

active proctype p() {
	x = 1;
	x == 1;
end:	y == 0;
done:	skip
}

active proctype q() {
	y = 1;
	y == 1;
end:	x == 0;
done:	skip
}

active proctype watcher() {
	end: atomic { (p@done && q@done) -> assert(false) }
}
