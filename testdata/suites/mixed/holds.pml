/* expect: sc violated */
bool x = false;
active proctype p() { x = true; assert(x) }
