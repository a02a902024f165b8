/* A handshake that ends in a variable of the receiver. */
chan c = [0] of { byte };
active proctype p() { c!1 }
active proctype q() { byte m; c?m; assert(m == 0) }
