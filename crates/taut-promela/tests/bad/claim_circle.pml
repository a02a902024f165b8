byte x;
active proctype p() { x = 1 }
never turns { L: goto M; M: goto L }
