#endif
#ifdef X
init { skip }
