/* A statement that is never reached. */
byte x;
active proctype p() { if :: x == 1 -> x = 2 :: else fi }
