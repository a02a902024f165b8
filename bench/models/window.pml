/* A sliding window of W over channels of capacity C that lose messages; sequence numbers modulo 2 W. */
#ifndef W
#define W 2
#endif
#ifndef C
#define C 2
#endif
#define M (2 * W)

mtype = { data, ack };
chan forth = [C] of { mtype, byte };
chan back = [C] of { mtype, byte };

active proctype sender() {
	byte base, next, pending, number;

end:	do
	:: pending < W && nfull(forth) ->
		forth!data(next);
		next = (next + 1) % M;
		pending++
	:: back?ack(number) ->
		if
		:: (number + M - base) % M < pending ->
			pending = pending - 1 - (number + M - base) % M;
			base = (number + 1) % M
		:: else
		fi
	:: pending > 0 && nfull(forth) -> forth!data(base)
	:: back?ack(_)
	od
}

active proctype receiver() {
	byte expected, number;
	bool have[M];

end:	do
	:: forth?data(number) ->
		if
		:: (number + M - expected) % M < W ->
			have[number] = true;
			do
			:: have[expected] ->
				have[expected] = false;
				expected = (expected + 1) % M
			:: else -> break
			od
		:: else
		fi;
		back!ack((expected + M - 1) % M)
	:: forth?data(_)
	od
}
