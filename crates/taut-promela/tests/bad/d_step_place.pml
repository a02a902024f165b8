byte g;
proctype Q() { L: skip }
active proctype P() {
	byte p;
	d_step { run Q(); g = 1 };
	d_step { p = run Q(); g = 1 };
	d_step { Q@L -> g = 1 };
	d_step { assert(Q[p]@L) };
	d_step { { g = 1 } unless { g = 2 } }
}
