byte g;
active proctype P() {
again:
	d_step { g == 0 -> g = 1 };
	goto again
}
