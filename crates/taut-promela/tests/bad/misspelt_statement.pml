int x;
init { gto end; end: skip }
