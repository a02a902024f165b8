/*
 * A ticket lock: tickets by fetch-and-add, and a number that says whose turn it is.
 *
 * Mutual exclusion holds under SC, TSO and PSO: only the locked instruction decides who is next, and
 * only the owner of the lock writes the turn.
 */
#include "taut.h"

byte ticket, turn;
ghost byte inside;

active [3] proctype user() {
	byte mine;
	mine = FETCH_ADD(ticket, 1);
	turn == mine;
	inside++;
	assert(inside == 1);
	inside--;
	turn = mine + 1
}
