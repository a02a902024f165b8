typedef t { };
active proctype P() { skip }
