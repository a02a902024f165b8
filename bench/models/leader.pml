/* Leader election in a ring of N, no multiple of 5, by Dolev, Klawe and Rodeh. */
#ifndef N
#define N 6
#endif

mtype = { one, two, winner };
chan ring[N] = [N] of { mtype, byte };
byte leaders;

proctype node(chan in; chan out; byte mine) {
	bool active_ = true, known = false;
	byte number, maximum = mine, neighbour;

	out!one(mine);
end:	do
	:: in?one(number) ->
		if
		:: active_ ->
			if
			:: number != maximum -> out!two(number); neighbour = number
			:: else -> known = true; out!winner(number)
			fi
		:: else -> out!one(number)
		fi
	:: in?two(number) ->
		if
		:: active_ ->
			if
			:: neighbour > number && neighbour > maximum ->
				maximum = neighbour;
				out!one(neighbour)
			:: else -> active_ = false
			fi
		:: else -> out!two(number)
		fi
	:: in?winner(number) ->
		if
		:: number == mine -> leaders++; assert(leaders == 1)
		:: else
		fi;
		if
		:: known
		:: else -> out!winner(number)
		fi;
		break
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run node(ring[i], ring[(i + 1) % N], (i * 5 + 3) % N + 1)
		}
	}
}
