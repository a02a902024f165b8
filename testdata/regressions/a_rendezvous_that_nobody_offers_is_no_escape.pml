/* Once different in SPIN: a rendezvous that nobody offers is no escape. */
chan c = [0] of { byte }; byte x, y;
active proctype A() { { x = 1 } unless { c?y } }
active proctype B() { c!1 }
