int x;
proctype P() { x = 1 }
