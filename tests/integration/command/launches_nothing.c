/* A runtime in front of the simulated one, which it is linked to: every function is that one's but the launch. */
__attribute__((visibility("default"))) int hipModuleLaunchKernel(void);
int hipModuleLaunchKernel(void) {
  return 0;
}
