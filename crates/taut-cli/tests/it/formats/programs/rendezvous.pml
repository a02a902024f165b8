/* A handshake in which the receiver reads, writes and counts, and channels that hold messages. */
chan c = [0] of { byte, byte };
chan d = [2] of { byte };
byte g = 3, a[2];

proctype waits(byte n) {
	byte m;
	c?eval(g),a[n];
	d?<m>;
	d?m;
	assert(m == 0)
}

init {
	run waits(1);
	d!7;
	c!g,5
}
