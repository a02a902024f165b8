byte g;
active proctype P() {
	byte i;
	do
	:: g < 2 -> g++
	:: else -> break
	od;
	d_step { g = 1; g = 2 };
	for (i : 0 .. 1) { g = i };
	d_step { g = 3; g = 4 };
	do :: break od;
	{ d_step { g = 1; g = 2 } };
	atomic { do :: g > 0 -> break od; d_step { g = 1; g = 2 } };
	d_step { do :: break od; g = 1 }
}
