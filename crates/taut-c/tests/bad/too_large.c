int big[3000][3000];
struct s { char buffer[4000000]; } s;
int main(void) { big[0][0] = 1; return s.buffer[0]; }
