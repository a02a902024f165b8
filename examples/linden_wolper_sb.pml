/*
 * Store buffering in the dialect of Linden and Wolper, which has statements for stores and loads: a load
 * blocks unless the variable has the value that it names.
 *
 * A. Linden, P. Wolper: An automata-based symbolic approach for verifying programs on relaxed memory
 * models. SPIN 2010.
 *
 * TSO and PSO: both processes can load 0, and the watcher finds them at the end. SC: they cannot. With
 * -D FENCED a `sync` stands between the store and the load, and they cannot either.
 */
bool x, y;

active proctype left() {
	store(x, 1);
#ifdef FENCED
	sync;
#endif
	if
	:: load(y, 0); missed: skip
	:: load(y, 1)
	fi
}

active proctype right() {
	store(y, 1);
#ifdef FENCED
	sync;
#endif
	if
	:: load(x, 0); missed: skip
	:: load(x, 1)
	fi
}

active proctype watcher() {
	end: atomic { (left@missed && right@missed) -> assert(false) }
}
