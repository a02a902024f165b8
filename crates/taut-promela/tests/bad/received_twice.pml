byte x, a[2];
chan c = [1] of { byte, byte, byte };
active proctype P() {
	c?x, x, _;
	c?1(x, x);
	c??<x, a[0], x>;
	c?a[0], a[1], a[0];
	c?x, eval(x), _
}
