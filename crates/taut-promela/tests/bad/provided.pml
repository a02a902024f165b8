active proctype Q() { L: skip }
active proctype P() provided (Q@L) { skip }
