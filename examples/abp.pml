/*
 * The alternating bit protocol over channels that lose messages.
 *
 * K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson: A note on reliable full-duplex transmission over
 * half-duplex links. Communications of the ACM 12(5), 1969.
 *
 * The receiver gets every number, once and in order; it can wait for ever, but only where it may. Channels
 * are no shared memory: the verdicts are the same under SC, TSO and PSO.
 */
mtype = { data, ack };

#define LAST 3

chan forth = [1] of { mtype, byte, bit };
chan back = [1] of { mtype, bit };

active proctype sender() {
	byte number;
	bit flag, answer;
	do
	:: number <= LAST ->
	   if
	   :: forth!data(number, flag)
	   :: skip    /* lost on the way */
	   fi;
	   do
	   :: back?ack(answer) ->
	      if
	      :: answer == flag -> number++; flag = 1 - flag; break
	      :: else
	      fi
	   :: timeout -> break
	   od
	:: else -> break
	od
}

active proctype receiver() {
	byte number, expected;
	bit flag, wanted;
end:	do
	:: forth?data(number, flag) ->
	   if
	   :: flag == wanted ->
	      assert(number == expected);
	      expected++;
	      wanted = 1 - wanted
	   :: else
	   fi;
	   if
	   :: back!ack(flag)
	   :: skip    /* lost on the way */
	   fi
	od
}
