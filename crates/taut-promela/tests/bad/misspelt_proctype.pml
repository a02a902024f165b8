int x;
proctpe P() { skip }
init { skip }
