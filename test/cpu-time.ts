/** Measures the CPU time of some work in milliseconds, which a busy machine does not prolong as it does wall time. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
