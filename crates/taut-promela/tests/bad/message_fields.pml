chan q = [1] of { byte, byte };
byte x;
init { q!1,2,3; q?x,_,_ }
