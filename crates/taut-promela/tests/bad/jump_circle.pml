byte x;
active proctype P() {
	x = 1;
A:	goto B;
B:	goto A
}
