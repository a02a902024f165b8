mtype:fruit = { apple };
mtype:colour = { red };
mtype:fruit f;
init { f = red; f == red }
