proctype worker() { skip }
init { run wroker(); Worker@l }
