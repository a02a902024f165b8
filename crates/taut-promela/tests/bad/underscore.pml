chan c = [1] of { byte };
proctype Q(byte x) { skip }
active proctype P() {
	byte x;
	x = _;
	_ == 1;
	c!_;
	run Q(_);
	_++;
	c?_;
	_ = 1
}
