/* Anderson's queue lock for N processes: each draws a place in a ring and waits until the place is open. */
#ifndef N
#define N 5
#endif

bool open[N];
byte next;
byte inside;

active [N] proctype user() {
	byte place;

end:	do
	:: d_step { place = next; next++ };
	   if
	   :: place == N - 1 -> next = next - N
	   :: else -> place = place % N
	   fi;
	   open[place];
	   inside++;
	   assert(inside == 1);
	   inside--;
	   open[place] = false;
	   open[(place + 1) % N] = true
	od
}

init { open[0] = true }
