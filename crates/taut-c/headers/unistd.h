/* Taut's <unistd.h>, as far as programs without files need it. */
#ifndef __TAUT_UNISTD_H
#define __TAUT_UNISTD_H
#include <sys/types.h>
unsigned sleep(unsigned seconds);
int usleep(useconds_t microseconds);
_Noreturn void _exit(int status);
pid_t getpid(void);
long sysconf(int name);
ssize_t write(int file, const void *data, size_t size);
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
#endif
