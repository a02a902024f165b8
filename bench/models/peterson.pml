/* Peterson's lock for N processes, by levels. */
#ifndef N
#define N 4
#endif

byte level[N], last[N];
byte inside;

active [N] proctype user() {
	byte k, j;

again:	k = 1;
	do
	:: k < N ->
		level[_pid] = k;
		last[k] = _pid;
		j = 0;
		do
		:: j < N ->
			(j == _pid || level[j] < k || last[k] != _pid);
			j++
		:: else -> break
		od;
		k++
	:: else -> break
	od;
	inside++;
	assert(inside == 1);
	inside--;
	level[_pid] = 0;
	goto again
}
