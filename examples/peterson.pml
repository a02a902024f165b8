/*
 * Peterson's lock as a plain SPIN model: nothing in it knows of store buffers.
 *
 * G. L. Peterson: Myths about the mutual exclusion problem. Information Processing Letters 12(3), 1981.
 *
 * SC: mutual exclusion holds, as SPIN says. TSO and PSO: both stores of both processes can still wait in
 * their buffers when each looks at the other's flag, so both get in.
 *
 * The watcher looks at where the processes are. A counter that both increase would not do: under TSO
 * each process would see its own increment only.
 */
bool flag[2];
byte turn;

active [2] proctype user() {
	byte other = 1 - _pid;
	do
	:: flag[_pid] = true;
	   turn = other;
	   (!flag[other] || turn == _pid);
cs:	   skip;
	   flag[_pid] = false
	od
}

active proctype watcher() {
	end: atomic { (user[0]@cs && user[1]@cs) -> assert(false) }
}
