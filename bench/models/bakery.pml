/* Lamport's bakery for N processes with tickets up to MOST, after which nobody draws another. */
#ifndef N
#define N 3
#endif
#ifndef MOST
#define MOST 6
#endif

bool drawing[N];
byte ticket[N];
byte inside;

active [N] proctype customer() {
	byte j, most;

end:	do
	:: drawing[_pid] = true;
	   j = 0;
	   most = 0;
	   do
	   :: j < N ->
		if
		:: ticket[j] > most -> most = ticket[j]
		:: else
		fi;
		j++
	   :: else -> break
	   od;
	   if
	   :: most < MOST
	   :: else -> drawing[_pid] = false; break
	   fi;
	   ticket[_pid] = most + 1;
	   drawing[_pid] = false;
	   j = 0;
	   do
	   :: j < N ->
		!drawing[j];
		(ticket[j] == 0 || ticket[_pid] < ticket[j]
			|| (ticket[_pid] == ticket[j] && _pid <= j));
		j++
	   :: else -> break
	   od;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   ticket[_pid] = 0
	od
}
