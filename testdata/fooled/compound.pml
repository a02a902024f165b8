/* Peterson's lock as textbooks write it: one statement waits for two variables. */
#include "taut.h"

bool flag[2];
byte turn;
ghost byte critical;

active [2] proctype p() {
	do
	:: flag[_pid] = 1;
	   turn = 1 - _pid;
	   FENCE();
	   flag[1 - _pid] == 0 || turn == _pid;
	   critical++;
	   assert(critical == 1);
	   critical--;
	   flag[_pid] = 0
	od
}
