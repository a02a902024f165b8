int x
proctype P( { skip }
proctype Q() { x = ; y = 1 }
init { if x fi }
active proctype R() { goto }
