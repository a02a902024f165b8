init { l: int x; x = 1 }
