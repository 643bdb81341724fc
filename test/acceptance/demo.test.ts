import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

it('the demo runs as it says, ends with nothing pending, and leaves no process behind', async () => {
  const root = resolve(import.meta.dirname, '../..');
  const demo = spawn(process.execPath, ['scripts/demo.mjs'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  let shown = '';
  demo.stdout.setEncoding('utf8').on('data', (chunk: string) => (shown += chunk));
  const [code] = await once(demo, 'close');
  expect(shown).toMatch(/Nothing is pending\. \([\d.]+ s\)\n$/);
  expect(code).toBe(0);
});
