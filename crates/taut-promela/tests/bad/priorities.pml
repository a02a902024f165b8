chan c = [0] of { byte };
active proctype P() priority 3 { c ? 1 }
init { run P() priority 2; c ! 1; set_priority(0, 5) }
