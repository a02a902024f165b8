/* Taut's <signal.h>. Signals are not modelled: programs that use them are refused where they are reached. */
#ifndef __TAUT_SIGNAL_H
#define __TAUT_SIGNAL_H
typedef int sig_atomic_t;
#define SIGINT 2
#define SIGABRT 6
#define SIGKILL 9
#define SIGSEGV 11
#define SIGALRM 14
#define SIGTERM 15
#define SIGUSR1 10
#define SIGUSR2 12
int raise(int signal);
void (*signal(int signal, void (*handler)(int)))(int);
#endif
