#include <stdlib.h>

// A check takes this for an assumption that is false; on the processor it is a call of `abort`.
static void assume_nothing(void)
{
    abort();
}

int main(void)
{
    assume_nothing();
    return 0;
}
