/* A never claim that some run satisfies. */
byte x;
active proctype p() { do :: x = 1 - x od }
never { T: do :: x == 1 -> goto accept :: true od; accept: do :: true od }
