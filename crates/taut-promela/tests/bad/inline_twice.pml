inline f() { skip }
inline f() { skip }
init { f() }
