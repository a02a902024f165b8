byte x;
active proctype P() {
	byte r;
	enabled(0);
	pc_value(0) == 3;
	np_;
	r = _priority;
	r = 1 + XCHG(x, 2);
	store(3, 1);
	r = GSVAR(0)
}
