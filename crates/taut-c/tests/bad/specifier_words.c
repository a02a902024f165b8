unsigned short long s;
char int c;
int main(void) { return 0; }
