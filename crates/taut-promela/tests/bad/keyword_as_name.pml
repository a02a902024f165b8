int len;
init { skip }
