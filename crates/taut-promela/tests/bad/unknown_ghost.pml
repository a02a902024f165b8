/* --ghost seeen */
byte seen;
active proctype P() { seen = 1 }
