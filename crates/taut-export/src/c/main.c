
#ifdef __VERIFIER

int main(void) { taut_start(); return 0; }

#else

/* Each run is a process of its own, so that all start alike. */
int main(int argc, char **argv) {
  unsigned long runs = argc > 1 ? strtoul(argv[1], 0, 10) : 1000;
  if (argc > 2) taut_most_steps = strtoul(argv[2], 0, 10);
  for (unsigned long run = 1; run <= runs; run++) {
    fflush(0);
    pid_t child = fork();
    if (child < 0) { perror("fork"); return 2; }
    if (child == 0) {
      taut_random = run * 0x9E3779B97F4A7C15ULL + 1;
      taut_start();
      _exit(TAUT_OVER);
    }
    int status = 0;
    if (waitpid(child, &status, 0) < 0) { perror("waitpid"); return 2; }
    if (!WIFEXITED(status)) { fprintf(stderr, "run %lu crashed\n", run); return 2; }
    if (WEXITSTATUS(status) == TAUT_REACHED) {
      printf("error reached in run %lu\n", run);
      return 1;
    }
  }
  printf("no error in %lu runs\n", runs);
  return 0;
}

#endif
