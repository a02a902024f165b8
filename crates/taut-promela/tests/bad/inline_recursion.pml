inline f() { g() }
inline g() { f() }
init { f() }
