/* Functions that verifiers of C programs have in common. */
#ifndef __TAUT_VERIFIER_H
#define __TAUT_VERIFIER_H
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);
_Noreturn void __VERIFIER_error(void);
_Noreturn void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_loop_begin(void);
void __VERIFIER_loop_bound(int bound);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int ends);
unsigned int __VERIFIER_tid(void);
#endif
