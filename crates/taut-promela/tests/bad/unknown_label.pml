proctype P() { here: skip }
init { goto ther; there: skip; P@hre }
