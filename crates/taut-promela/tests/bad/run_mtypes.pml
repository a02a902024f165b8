mtype:fruit = { apple };
mtype:tool = { saw };
proctype Q(mtype:fruit f) { skip }
active proctype P() { run Q(apple); run Q(saw); run Q(1) }
