import { describe, expect, test } from 'vitest';
import { renderDecimal } from '../../src/domain/index.ts';
import { keysOf, readText } from './scratch.ts';

const budgetOf = async (text: string) => (await keysOf(`version: 1\nkeys: { a: { budget: ${text} } }\n`))[0]?.budget;

describe('the desired state', () => {
  test('is in normal form: sets sorted, rules canonical, defaults filled in field by field', async () => {
    const text = `version: 1
defaults: { group: base, budget: { usd: 10 }, models: any }
keys:
  b:
    models: [z, a, z]
    allowIps: ["2001:DB8::/32", 203.0.113.7, 10.0.0.0/8]
    expires: 2030-01-01T02:00:00+02:00
    budget: { quota: 5, per: month }
    smartRouting: { tiers: { b: 1, a: [true, null] } }
  a: { enabled: false, renamedFrom: old, deliver: [{ file: k, format: raw }], checks: [chat] }
`;
    const ten = { usd: { digits: 10n, scale: 0 } };
    expect(await keysOf(text)).toEqual([
      {
        name: 'a',
        enabled: false,
        group: 'base',
        models: null,
        budget: { kind: 'lifetime', amount: ten },
        renamedFrom: 'old',
        deliver: [
          {
            target: { file: 'k', format: 'raw' },
            adopt: false,
            propagateSeconds: 0,
            onDestroy: 'keep',
            folder: expect.any(String),
            place: expect.anything(),
          },
        ],
      },
      {
        name: 'b',
        enabled: true,
        group: 'base',
        models: ['a', 'z'],
        allowIps: ['10.0.0.0/8', '2001:db8::/32', '203.0.113.7/32'],
        expires: Date.UTC(2030, 0, 1) / 1000,
        budget: { kind: 'window', amount: { quota: 5 }, per: 'month' },
        smartRouting: '{"a":[true,null],"b":1}',
      },
    ]);
  });

  test('knows where each key is declared', async () => {
    const { manifest } = await readText('version: 1\nkeys:\n  one: {}\n');
    expect(manifest?.desired.keys[0]?.place).toEqual({
      file: 'keyplane.yaml',
      line: 3,
      column: 3,
      endLine: 3,
      endColumn: 6,
    });
  });

  test('has ownership with a scope only where one is written', async () => {
    const plain = await readText('version: 1\n');
    expect(plain.manifest?.desired.ownership).toEqual({ prune: 'never', protect: [] });
    const { manifest } = await readText('version: 1\nownership: { scope: "a-*", prune: delete, protect: [a-1] }\n');
    expect(manifest?.desired.ownership).toEqual({ scope: ['a-*'], prune: 'delete', protect: ['a-1'] });
    const waiting = await readText(
      'version: 1\nownership: { scope: "a-*", prune: { mode: delete, quarantine: 48h } }\nkeys: {}\n',
    );
    expect(waiting.diagnostics).toEqual([]);
    expect(waiting.manifest?.desired.ownership).toEqual({
      scope: ['a-*'],
      prune: 'delete',
      quarantine: 172_800,
      protect: [],
    });
    const short = await readText('version: 1\nownership: { scope: "a-*", prune: { mode: disable } }\nkeys: {}\n');
    expect(short.manifest?.desired.ownership).toEqual({ scope: ['a-*'], prune: 'disable', protect: [] });
  });

  test('loses no key, whatever its name means to JavaScript or YAML', async () => {
    const names = ['__proto__', 'constructor', 'toString', '<<', 'null', '1e3', '0x10'];
    const text = `version: 1\nkeys:\n${names.map((name) => `  "${name}": { group: g }\n`).join('')}  5: { group: g }\n`;
    const keys = await keysOf(text);
    expect(keys.map((key) => key.name)).toEqual([...names, '5'].sort());
    expect(keys.every((key) => key.group === 'g')).toBe(true);
  });
});

describe('amounts', () => {
  test.each([
    ['{ usd: 0.1 }', '0.1'],
    ['{ usd: 1234567.123456789012345678 }', '1234567.123456789012345678'],
    ['{ usd: 25.00 }', '25'],
    ['{ usd: "0.30" }', '0.3'],
    ['{ usd: 1e-7 }', '0.0000001'],
    ['{ usd: 1.e2 }', '100'],
    ['{ usd: .5 }', '0.5'],
    ['{ usd: 0x10 }', '16'],
  ])('%s is exactly %s dollars', async (text, exact) => {
    const budget = await budgetOf(text);
    if (budget?.kind !== 'lifetime' || !('usd' in budget.amount)) throw new Error('not a lifetime grant in dollars');
    expect(renderDecimal(budget.amount.usd)).toBe(exact);
  });

  test('in quota units may be as large as Terraform and the constructs take it, also as text', async () => {
    expect(await budgetOf('{ quota: 500000000000000 }')).toEqual({
      kind: 'lifetime',
      amount: { quota: 500_000_000_000_000 },
    });
    const { diagnostics } = await readText('version: 1\nkeys: { one: { budget: { quota: 500000000000001 } } }\n');
    expect(diagnostics[0]?.expected).toBe('at most 500000000000000 quota units');
    expect(await budgetOf('{ quota: "12" , initial: true }')).toEqual({ kind: 'initial', amount: { quota: 12 } });
  });

  test('of a top-up are both kept', async () => {
    const five = { usd: { digits: 5n, scale: 0 } };
    expect(await budgetOf('{ quota: 100, below: { usd: 5 } }')).toEqual({
      kind: 'top-up',
      amount: { quota: 100 },
      below: five,
    });
  });
});
