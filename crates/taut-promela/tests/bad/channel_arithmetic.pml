chan c = [1] of { byte };
active proctype P() {
	byte x;
	x = c + 1;
	x = !c;
	x = c
}
