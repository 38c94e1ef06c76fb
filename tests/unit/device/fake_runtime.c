/* A library that bears the name of the HIP runtime and is none. */
int hk_fake_runtime(void);
int hk_fake_runtime(void) {
  return 1;
}
