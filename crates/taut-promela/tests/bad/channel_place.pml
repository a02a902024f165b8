chan d = [1] of { byte };
active proctype P() {
	byte x = 1;
	chan fine = [1] of { byte };
	x = 2;
	chan c = [1] of { byte };
	{ chan e = [1] of { byte }; e!1 };
	chan f;
	f = d
}
