/* Once different in SPIN: an initial value that reads another local. */
proctype P() { bool y[2] = 1; bool x = y[_pid & 1] }
init { run P() }
