proctype P() priority 3 { skip }
init { run P() priority 2; set_priority(0, 5) }
