/*
 * A producer stores data and sends a message; the consumer waits for the message and reads the data.
 *
 * The assertion holds under SC, TSO and PSO: a send waits until the sender's store buffer is empty. With
 * `--channels free` the message can overtake the store, and the consumer reads 0.
 */
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
