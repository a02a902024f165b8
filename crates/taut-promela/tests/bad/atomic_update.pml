bool lock;
#define TAKE(l) atomic { !l -> l = true }
active [2] proctype user() {
	TAKE(lock);
	lock = false;
	d_step {
		if
		:: lock == 0 -> skip
		:: else
		fi;
		lock = 1
	}
}
