/* Taut's <stdio.h>. Nothing is printed: arguments are evaluated, results are 0. */
#ifndef __TAUT_STDIO_H
#define __TAUT_STDIO_H
#include <stdarg.h>
#include <stddef.h>
typedef struct __taut_file { int unused; } FILE;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define EOF (-1)
#define BUFSIZ 8192
int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int dprintf(int file, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int vprintf(const char *format, va_list list);
int vfprintf(FILE *file, const char *format, va_list list);
int vsnprintf(char *to, size_t size, const char *format, va_list list);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int puts(const char *text);
int fputs(const char *text, FILE *file);
int putchar(int c);
int putc(int c, FILE *file);
int fputc(int c, FILE *file);
int getchar(void);
int getc(FILE *file);
int fgetc(FILE *file);
char *fgets(char *to, int size, FILE *file);
int fflush(FILE *file);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
void setbuf(FILE *file, char *buffer);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
void perror(const char *text);
#endif
