/* Once different in SPIN: code that nothing leads to. */
byte g; active [2] proctype P() { do :: (g && g == g) od; end1: false }
