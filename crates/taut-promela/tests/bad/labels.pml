int x;
init { a: skip; a: skip; x: skip }
