/* The message says that the data are there. */
byte data;
chan ready = [1] of { bit };

active proctype producer() {
	data = 42;
	ready ! 1
}

active proctype consumer() {
	ready ? 1;
	assert(data == 42)
}
