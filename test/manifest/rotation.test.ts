import { describe, expect, it } from 'vitest';
import { decodePlan, encodePlan } from '../../src/manifest/index.ts';
import { plan } from '../../src/reconcile/index.ts';
import { emptyAccount, planOf } from '../reconcile/account.ts';
import { NOW, readText } from './scratch.ts';

const manifestWith = (keys: string, more = '') => `version: 1\n${more}keys:\n${keys}`;

async function problems(text: string) {
  const { diagnostics } = await readText(text);
  return diagnostics.map(({ code, place, message }) => `${place?.line}:${place?.column} ${code} ${message}`);
}

describe('a declared rotation', () => {
  it('is read with all its parts, also from the defaults', async () => {
    const text = manifestWith(
      '  app: {}\n  b: { rotate: { every: 12h, overlap: 30m } }\n',
      'defaults: { rotate: { every: 90d, overlap: 7d, quiet: 48h, overlapBudget: { usd: 2.5 } } }\n',
    );
    const { manifest, diagnostics } = await readText(text);
    expect(diagnostics).toEqual([]);
    expect(manifest?.desired.keys.map(({ rotate }) => rotate)).toEqual([
      { every: 7_776_000, overlap: 604_800, quiet: 172_800, overlapBudget: { usd: { digits: 25n, scale: 1 } } },
      { every: 43_200, overlap: 1800 },
    ]);
  });

  it('survives in a saved plan', async () => {
    const { manifest } = await readText(
      manifestWith('  app: { budget: unlimited, rotate: { every: 90d, overlap: 7d, overlapBudget: { usd: 2.5 } } }\n'),
    );
    if (!manifest) throw new Error('the manifest is invalid');
    const made = await planOf(emptyAccount(), manifest.desired);
    const saved = decodePlan(JSON.stringify(encodePlan(made, manifest.desired)));
    expect(saved.changes[0]).toMatchObject({ verb: 'create', of: 'app' });
    expect(saved.desired?.keys[0]?.rotate).toEqual(manifest.desired.keys[0]?.rotate);
  });

  it.each([
    [
      '  app: { rotate: { every: 7d, overlap: 7d } }',
      '3:40 manifest.invalid-value Invalid value for `rotate.overlap`.',
    ],
    [
      '  app: { rotate: { every: 30m, overlap: 5m } }',
      '3:27 manifest.invalid-value A key cannot rotate more often than every hour.',
    ],
    [
      '  app: { rotate: { every: 7d, overlap: 1d, overlapBudget: { quota: 1.5 } } }',
      '3:68 manifest.invalid-amount `rotate.overlapBudget`: Quota units must be a whole number of 0 or more.',
    ],
    [
      '  app: { rotate: { every: 7d, overlap: 1h }, deliver: [{ file: .env, format: dotenv, as: KEY, propagate: 2h }] }',
      '3:40 manifest.invalid-value The overlap is shorter than the time that the sinks of "app" take: the old secret could end before its readers have the new one.',
    ],
    [
      '  app: { id: 7, name: old, rotate: { every: 7d, overlap: 1d } }',
      '3:28 manifest.invalid-value A key that is adopted by its ID cannot rotate: its successor has another ID.',
    ],
  ])('%s is an error', async (keys, expected) => {
    expect(await problems(manifestWith(`${keys}\n`))).toEqual([expected]);
  });

  it('of a protected key is an error', async () => {
    const text = manifestWith('  app: { rotate: { every: 7d, overlap: 1d } }\n', 'ownership: { protect: [a*] }\n');
    expect(await problems(text)).toEqual([
      '4:10 manifest.invalid-value A protected key cannot rotate: its old generations would never end.',
    ]);
  });
});

describe('a declared name', () => {
  it('cannot be that of a generation', async () => {
    expect(await problems(manifestWith('  app~20261125-1430: {}\n'))).toEqual([
      '3:3 manifest.invalid-name The name has the form of a generation, which a rotation gives to a key.',
    ]);
  });

  it('cannot be the stem of the generations of another one', async () => {
    const text = manifestWith('  prod-checkout-service-of-europe: {}\n  prod-checkout-servi~ivlekg5u66: {}\n');
    expect(await problems(text)).toEqual([
      '4:3 manifest.invalid-name The generations of this key would have the names of those of "prod-checkout-service-of-europe".',
    ]);
  });
});

it('a plan without a gateway rotates nothing', async () => {
  const { manifest } = await readText(manifestWith('  app: { rotate: { every: 7d, overlap: 1d } }\n'));
  const { assumedState } = await import('../../src/reconcile/index.ts');
  if (!manifest) throw new Error('the manifest is invalid');
  const account = {
    account: { url: 'https://gateway.example.com', userId: 1 },
    quotaPerUnit: { digits: 500_000n, scale: 0 },
  };
  const made = plan(manifest.desired, assumedState(manifest.desired, account, NOW), NOW);
  expect(made.changes.map(({ verb }) => verb)).toEqual(['keep']);
});
