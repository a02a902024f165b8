chan q = [1] of { byte };
byte x;
trace { do :: q!1 :: q?<1> od; x = 1; q!len(q) }
init { q!1 }
