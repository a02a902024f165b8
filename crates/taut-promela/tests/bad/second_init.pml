bool p;
init { skip }
init { skip }
ltl a { [] p }
ltl a { <> p }
