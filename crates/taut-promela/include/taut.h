/*
 * taut.h: Taut's operations on shared memory, for SPIN.
 *
 * Taut knows these names without any header and gives them their meaning under SC, TSO and PSO. SPIN knows
 * one memory model, sequential consistency; with
 *
 *     #include "taut.h"
 *
 * the same file runs there, too. `taut header -o taut.h` writes this file beside the model.
 *
 *   ghost int seen;            an observer's variable: never buffered
 *   FENCE()                    waits until the process's own stores have reached memory
 *   SFENCE()                   later stores reach memory after earlier ones (PSO)
 *   SYNC()                     waits until the stores of all processes have reached memory
 *   ATOMIC_WRITE(x, v)         a store that reaches memory at once, after all earlier ones
 *   r = CAS(x, old, new)       if x is old it becomes new, and r is 1; else r is 0
 *   r = XCHG(x, v)             x becomes v, r what x was
 *   r = FETCH_ADD(x, v)        v is added to x, r is what x was
 *   LOCKED { ... }             statements as one locked instruction
 *
 * In Taut the three operations with a value can also stand alone. SPIN wants their value to go somewhere; what
 * stands alone is written so that both read it:
 *
 *   CAS(x, old, new)           LOCKED { x == old; x = new }      (waits until x is old)
 *   XCHG(x, v)                 ATOMIC_WRITE(x, v)
 *   FETCH_ADD(x, v)            LOCKED { x = x + v }
 */
#ifndef TAUT_H
#define TAUT_H

#define ghost
#define FENCE()            skip
#define SFENCE()           skip
#define SYNC()             skip
#define ATOMIC_WRITE(x, v) x = v
#define LOCKED             atomic

/* What a variable was before it changed. Hidden: it is no part of a state. */
hidden int taut_before

inline CAS(x, old, new) {
	d_step {
		if
		:: x == (old) -> x = new; return 1
		:: else -> return 0
		fi
	}
}

inline XCHG(x, v) {
	d_step { taut_before = x; x = v; return taut_before }
}

inline FETCH_ADD(x, v) {
	d_step { taut_before = x; x = x + (v); return taut_before }
}

#endif
