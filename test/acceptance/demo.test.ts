import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptWords } from '../script-words.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The demo, and what it has shown. Its gateway has the same standard error: `close` comes when both are gone. */
function startDemo() {
  const demo = spawn(process.execPath, scriptWords('scripts/demo.ts'), {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const shown = { text: '' };
  demo.stdout.setEncoding('utf8').on('data', (chunk: string) => (shown.text += chunk));
  demo.stderr.resume();
  return { demo, shown, closed: once(demo, 'close') };
}

const urlIn = (text: string): string => /runs at (http:\S+),/.exec(text)?.[1] ?? '';

describe('the demo', () => {
  it('runs to its end, checks every key, writes the report, and stops its gateway', async () => {
    const { shown, closed } = startDemo();
    const [code] = await closed;
    expect(code, shown.text).toBe(0);
    const [, report = ''] = /every key works: see (\S+)\. \([\d.]+ s\)\n$/.exec(shown.text) ?? [];
    expect(shown.text).toMatch(/^prod-studio( +✓){5}$/m);
    expect(shown.text).toMatch(/^Checks: 30 passed\. .* charged\.$/m);
    expect(shown.text).toMatch(/^Checks: 1 passed\. .* charged, limit \$0\.05\.$/m);
    expect(shown.text).toContain('\nMaximum exposure per month of the selected keys: $300.00 → $9,000.00\n');
    expect(shown.text).toContain('$300/month → $300/day');
    expect(shown.text).toContain('deliver  prod-nightly-batch to file app.env LLM_API_KEY');
    expect(shown.text).toContain('deliver  prod-nightly-batch to kubernetes k8s/nightly-batch.yaml');
    expect(shown.text).toMatch(
      /^done {4}create {3}prod-nightly-batch \(generation prod-nightly-batch~\d{8}-\d{4}\+0\) \(id \d+\)$/m,
    );
    expect(shown.text).toContain('both sinks have the new secret, and the old one is rejected');
    // Not even the demo shows a secret.
    expect(shown.text).not.toMatch(/sk-[A-Za-z0-9]{20}/);
    const page = readFileSync(resolve(ROOT, report), 'utf8');
    expect(page).toContain('data:video/mp4;base64,');
    expect(page).toContain('data:image/webp;base64,');
    await expect(fetch(urlIn(shown.text))).rejects.toThrow();
  });

  it.each(['SIGTERM', 'SIGINT', 'its reader going away'])(
    'takes its gateway along when it is ended by %s',
    async (end) => {
      const { demo, shown, closed } = startDemo();
      while (urlIn(shown.text) === '') await once(demo.stdout, 'data');
      if (end.startsWith('SIG')) demo.kill(end as NodeJS.Signals);
      else demo.stdout.destroy();
      const [code] = await closed;
      expect(code).not.toBe(0);
      await expect(fetch(urlIn(shown.text))).rejects.toThrow();
    },
  );
});
