// Loaded before a program (`node --import`): when the program ends, writes its peak resident memory in KiB, and its CPU time in
// microseconds, to a file.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { PEAK_MEMORY_FILE: file } = process.env;
  const { user, system } = process.cpuUsage();
  if (file) writeFileSync(file, `${process.resourceUsage().maxRSS} ${user + system}`);
});
