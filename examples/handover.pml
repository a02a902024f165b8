/*
 * A producer hands numbers to a consumer over a rendezvous; a clerk counts them, and a bell calls it off.
 *
 * What can be seen here: a rendezvous, `d_step` for work that nobody sees halfway, `atomic` with a send in it,
 * `unless` for an escape, and `timeout` for the moment when nothing else can happen. All assertions hold
 * under SC, TSO and PSO: the only variable that is shared is read after all its stores were committed.
 */
#include "taut.h"

#define MOST 3

chan counter = [0] of { byte };
chan bell = [0] of { bit };
byte total;
ghost byte made;

active proctype producer() {
	byte item;
	{
		do
		:: made < MOST ->
		   atomic { item = made + 1; made++; counter!item }
		od
	} unless { bell?_ };
	FENCE()
}

active proctype consumer() {
	byte item, sum, next;
	do
	:: counter?item ->
	   d_step {
		next = next + 1;
		sum = sum + item
	   };
	   assert(item == next);
	   total = sum
	:: bell?_ -> break
	od;
	FENCE();
	assert(total == 6)
}

active proctype ringer() {
	timeout;
	assert(made == MOST);
	bell!0;
	bell!0
}
