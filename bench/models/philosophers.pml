/* Dining philosophers who pick up the left fork first; the last one picks up the right fork first. */
#ifndef N
#define N 8
#endif

bool fork[N];
byte eating;

active [N] proctype philosopher() {
	byte first = (_pid == N - 1 -> 0 : _pid);
	byte second = (_pid == N - 1 -> N - 1 : _pid + 1);

end:	do
	:: atomic { !fork[first] -> fork[first] = true };
	   atomic { !fork[second] -> fork[second] = true };
	   eating++;
	   assert(eating <= N / 2);
	   eating--;
	   fork[second] = false;
	   fork[first] = false
	od
}
