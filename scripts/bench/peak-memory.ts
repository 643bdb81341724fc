// Loaded before a program (`node --import`): when the program ends, writes its peak resident memory in KiB to a file.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { PEAK_MEMORY_FILE: file } = process.env;
  if (file) writeFileSync(file, String(process.resourceUsage().maxRSS));
});
