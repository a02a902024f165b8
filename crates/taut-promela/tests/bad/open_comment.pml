init { skip }
/* this goes on
