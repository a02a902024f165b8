/*
 * Message passing: a writer stores data and raises a flag, a reader that sees the flag reads the data.
 *
 * SC and TSO: the reader finds the data. PSO: the flag can reach memory first. With -D FENCED a store
 * fence stands between the two stores.
 */
#include "taut.h"

byte data;
bool flag;

active proctype writer() {
	data = 42;
#ifdef FENCED
	SFENCE();
#endif
	flag = true
}

active proctype reader() {
	flag;
	assert(data == 42)
}
