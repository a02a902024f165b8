byte g;
inline set() { here: g = 1; skip }
active proctype P() {
	atomic { one: g = 1; skip };
	d_step { two: g = 1; skip };
	{ three: g = 2; skip };
	four: g = 3 unless { g == 4 };
	{ g = 5 } unless five: g = 6;
	set();
	fine: { g = 1 } unless { g == 2 };
	{ byte x; also_fine: x = 1 };
	goto one; goto two; goto three
}
