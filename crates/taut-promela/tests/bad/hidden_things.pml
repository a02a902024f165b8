hidden chan c = [1] of { byte };
hidden bit b;
hidden byte fine;
proctype Q(hidden byte q) { skip }
active proctype P() { hidden byte x; x = 1 }
