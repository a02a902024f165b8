/* A claim only watches. */
byte x; chan q = [1] of { byte };
proctype other() { skip }
active proctype p() { x = 1; q!1 }
never writes { byte seen; do :: x == 1 -> seen = 1 :: x++ :: else od }
never talks { do :: q?_ :: q!1 :: q?[1] od }
never starts { do :: run other() od }
never counts { for (x : 0 .. 2) { skip } }
