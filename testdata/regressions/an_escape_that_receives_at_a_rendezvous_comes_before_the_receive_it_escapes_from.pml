/* Once different in SPIN: an escape that receives at a rendezvous comes before the receive it escapes from. */
chan c = [0] of { byte }; byte x, y;
active proctype A() { { c?x } unless { c?y } }
active proctype B() { c!1 }
