import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECK_MODULE_FACTS, type CheckInput, type CheckKeysRequest, checkKeys } from '../../../src/checks/index.ts';
import { type GatewayClient, openGatewayClient } from '../../../src/client/index.ts';
import { CHECK_MODULES, Secret } from '../../../src/domain/index.ts';
import { faultOf } from '../../http/client.ts';
import { openStage, type Stage } from '../stage.ts';

describe('checks that a program runs', () => {
  let stage: Stage;
  let gateway: GatewayClient;
  let folder: string;
  beforeAll(async () => {
    stage = await openStage('deployed');
    const accessToken = new Secret('token-of-anna');
    gateway = openGatewayClient({ url: stage.url, userId: 42, accessToken, clock: stage.clock });
    folder = await mkdtemp(join(tmpdir(), 'keyplane-check-keys-'));
  });
  afterAll(async () => {
    await gateway.close();
    await stage.close();
    await rm(folder, { recursive: true });
  });

  const asked = (more: Pick<CheckKeysRequest, 'keys'> & Partial<CheckKeysRequest>): CheckKeysRequest => ({
    gateway,
    clock: stage.clock,
    ledger: join(folder, 'tasks.jsonl'),
    ...more,
  });

  it('prove keys by modules, definitions and kinds', async () => {
    const report = await checkKeys(
      asked({
        keys: { open: ['chat', 'pong', 'costly'], narrow: ['chat'], off: ['enforcement'], nobody: ['free'] },
        checks: [
          { name: 'pong', module: 'chat', model: 'alpha-chat-1', expect: { contains: ['no such answer'] } },
          { module: 'image', model: 'alpha-image-2', expect: { width: 1024 }, schedule: 'costly' },
        ],
      }),
    );
    const verdicts = Object.fromEntries(report.results.map(({ key, check, verdict }) => [`${key} ${check}`, verdict]));
    expect(report.fatal).toBeUndefined();
    expect(verdicts).toMatchObject({
      'open pong': 'failed',
      'open image': 'skipped',
      'narrow pong': 'failed',
      'off disabled-key': 'passed',
      'nobody model-list': 'failed',
    });
  });

  it('cost no more than the program allows', async () => {
    const { results } = await checkKeys(asked({ keys: { open: ['chat'] }, maxCost: '0' }));
    expect(results.map(({ check, verdict }) => [check, verdict])).toEqual([['chat', 'skipped']]);
  });

  const INVALID: readonly (readonly [string, readonly CheckInput[], string])[] = [
    [
      'a size that the family does not have',
      [{ module: 'image', model: 'alpha-image-1', request: { size: '7x7' } }],
      'size',
    ],
    ['an assertion of another module', [{ module: 'model-list', expect: { contains: ['a'] } }], 'expect.contains'],
    ['retries of a paid task', [{ module: 'video', model: 'delta-H3', retries: 1 }], 'retries'],
    [
      'a stream of whole answers',
      [{ module: 'image-edit', model: 'alpha-image-1', request: { stream: true } }],
      'stream',
    ],
  ];

  it.each(INVALID)('are refused before anything is sent: %s', async (_, checks, named) => {
    await stage.counts();
    const fault = await faultOf(checkKeys(asked({ keys: { open: ['free'] }, checks })));
    expect([fault.code, fault.message]).toEqual(['request.invalid', expect.stringContaining(named)]);
    expect(await stage.counts()).toEqual({});
  });

  it('are refused for a word that names no check, and for an amount that is none', async () => {
    expect((await faultOf(checkKeys(asked({ keys: { open: ['chta'] } })))).message).toContain('“chta”');
    expect((await faultOf(checkKeys(asked({ keys: {}, maxCost: 'a lot' })))).code).toBe('request.invalid');
  });

  it('are of modules whose purpose, cost and assertions are data', () => {
    expect(CHECK_MODULE_FACTS.map(({ id }) => id).sort()).toEqual(Object.values(CHECK_MODULES).flat().sort());
    expect(CHECK_MODULE_FACTS.every(({ proves }) => proves.length > 0)).toBe(true);
  });
});
