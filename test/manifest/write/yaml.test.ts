import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertManifest } from '../../../src/manifest/index.ts';
import { NOW, readText } from '../scratch.ts';
import { declared, meaning } from './declared.ts';

const MANIFEST = `version: 1
gateway: { url: https://gateway.example.com, userId: 42 }
ownership: { scope: "prod-*", prune: { mode: delete, quarantine: 336h }, protect: [prod-root] }
defaults: { group: default, checks: [pong, enforcement], rotate: { every: 90d, overlap: 7d } }
keys:
  prod-a: { enabled: false, models: [b, a], allowIps: [203.0.113.7], expires: 2030-03-31T02:00:00+02:00, budget: { usd: 1.50, per: 7d } }
  prod-b: { renamedFrom: b, budget: { quota: 5, below: { quota: 2 } }, smartRouting: { tiers: [1, { a: null }] } }
  prod-c: { checks: [], budget: { usd: "0.1", initial: true }, deliver: [{ file: key.txt, format: raw }] }
checks:
  pong: { module: chat, messages: [{ role: user, content: "$\${y}" }], expect: { contains: pong, maxCost: 0.10 }, retries: 1, timeout: 90s, schedule: cheap }
`;

const toYaml = (manifest: Parameters<typeof convertManifest>[0]['manifest']): string =>
  convertManifest({ manifest, language: 'yaml', now: NOW }).text;

describe('a manifest that is written as YAML again', () => {
  test('declares the same, with common values in defaults', async () => {
    const { manifest } = await readText(MANIFEST);
    if (!manifest) throw new Error('it was not read');
    const text = toYaml(manifest);
    expect(text).toBe(`version: 1

gateway:
  url: "https://gateway.example.com"
  userId: 42

ownership:
  scope: ["prod-*"]
  prune: { mode: delete, quarantine: 14d }
  protect: [prod-root]

defaults:
  group: default
  rotate: { "every": "90d", "overlap": "7d" }

keys:
  prod-a:
    enabled: false
    models: [a, b]
    allowIps: ["203.0.113.7/32"]
    expires: 2030-03-31T00:00:00Z
    budget: { usd: 1.5, per: 7d }
    checks: [pong, enforcement]
  prod-b:
    budget: { quota: 5, below: { quota: 2 } }
    smartRouting: { tiers: [1, { "a": null }] }
    renamedFrom: b
    checks: [pong, enforcement]
  prod-c:
    budget: { usd: 0.1, initial: true }
    deliver: [{ "file": "key.txt", "format": "raw" }]

checks:
  pong:
    module: chat
    messages: [{ "role": "user", "content": "$\${y}" }]
    expect: { contains: ["pong"], maxCost: 0.1 }
    retries: 1
    timeout: 90s
    schedule: cheap
`);
    const { manifest: again } = await readText(text);
    expect(meaning(again)).toEqual(meaning(manifest));
    if (again) expect(toYaml(again)).toBe(text);
  });

  test('is the same manifest, whatever things are called', async () => {
    await fc.assert(
      fc.asyncProperty(declared, async (manifest) => {
        const { manifest: read, diagnostics } = await readText(toYaml(manifest));
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(meaning(read)).toEqual(meaning(manifest));
      }),
      { numRuns: 300 },
    );
  });
});
