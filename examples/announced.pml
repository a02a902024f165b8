/*
 * Peterson's lock, watched by a trace assertion: each process sends `enter` when it is in and `leave` before it goes.
 *
 * SC: the messages alternate. TSO and PSO: both processes can be inside, so one `enter` can follow another. A send
 * waits for the store buffer, which is too late here: the process has looked at the other's flag already.
 */
mtype = { enter, leave };
chan events = [2] of { mtype };
bool flag[2];
byte turn;

active [2] proctype user() {
	byte other = 1 - _pid;
	do
	:: flag[_pid] = true;
	   turn = other;
	   (!flag[other] || turn == _pid);
	   events!enter;
	   events!leave;
	   flag[_pid] = false
	od
}

active proctype reader() {
	do
	:: events?_
	od
}

trace {
	do
	:: events!enter; events!leave
	od
}
