/* Once different in SPIN: an escape that sends at a rendezvous comes first if somebody receives. */
chan c = [0] of { byte }; byte x;
active proctype A() { { x = 1 } unless { c!1 } }
active proctype B() { c?1 }
