import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import { checkAction, checkSource } from '../../../../src/terraform/keyplane/check/check.ts';
import type { CheckEnvironment } from '../../../../src/terraform/keyplane/check/run.ts';
import { openStage, type Stage } from '../../../checks/stage.ts';
import { contextFor } from '../context.ts';

let stage: Stage;
let folder = '';
let environment: CheckEnvironment;
beforeEach(async () => {
  stage = await openStage('deployed');
  folder = await mkdtemp(join(tmpdir(), 'keyplane-check-'));
  environment = { clock: stage.clock };
});
afterEach(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

const argumentsOf = (config: Partial<TerraformObject>): TerraformObject => {
  const { attributes } = checkAction(async () => environment).schema;
  const nothing = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));
  const ledger = join(folder, 'tasks.jsonl');
  return { ...nothing, key_id: 1, ledger, ...config } as TerraformObject;
};

const read = (config: Partial<TerraformObject>) =>
  checkSource(async () => environment).read(argumentsOf(config), contextFor(stage.gateway));

async function invoke(config: Partial<TerraformObject>) {
  const context = contextFor(stage.gateway);
  const lines: string[] = [];
  const failure = await (async () => {
    for await (const line of checkAction(async () => environment).invoke(argumentsOf(config), context))
      lines.push(line);
  })().catch((thrown: unknown) => thrown);
  return { lines, failure, warnings: context.warnings };
}

const CHAT = { module: 'chat', model: 'alpha-chat-1' } as const;
const FILM = { module: 'video', model: 'epsilon-video-2-0-mini-260615', costly: true } as const;

describe('keyplane_check, read', () => {
  it('reports that a key works, and the cost', async () => {
    expect(await read(CHAT)).toMatchObject({
      key_id: 1,
      model: 'alpha-chat-1',
      verdict: 'passed',
      passed: true,
      message: 'chat (alpha-chat-1) with the key "open": passed',
      cost_quota: 72,
      cost_usd: 0.000144,
    });
  });

  it('chooses a model of the key where none is named', async () => {
    expect(await read({ key_id: 2, module: 'chat' })).toMatchObject({ model: 'alpha-chat-1', passed: true });
  });

  it('reports that a check failed, without an error', async () => {
    const expected = { ...CHAT, expect: { contains: ['never written'] } };
    expect(await read(expected)).toMatchObject({
      verdict: 'failed',
      passed: false,
      message: expect.stringMatching(
        /^chat \(alpha-chat-1\) with the key "open": failed: assertion failed: .*never written/,
      ),
    });
    expect(await read({ ...CHAT, key_id: 5 })).toMatchObject({ passed: false, verdict: 'failed' });
    expect(await read({ ...CHAT, key_id: 4 })).toMatchObject({ message: expect.stringContaining('budget is used up') });
  });

  it('takes fields of the request, and expectations by their names here', async () => {
    const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const asked = {
      ...CHAT,
      request: JSON.stringify({ response_format: format }),
      expect: { json_schema: JSON.stringify(schema), max_latency_ms: 5000, max_cost_usd: 0.5 },
    };
    expect(await read(asked)).toMatchObject({ verdict: 'passed' });
  });

  it('proves what is forbidden, among the models of all keys', async () => {
    const closed = { key_id: 2, module: 'forbidden-model' };
    expect((await read(closed)).message).toMatch(/unprovable: Keyplane knows no model .*\. Set `model`\.$/);
    await stage.control.patchKey(3, { model_limits_enabled: true, model_limits: 'alpha-chat-2' });
    expect(await read(closed)).toMatchObject({ verdict: 'passed', passed: true });
    expect(await read({ key_id: 5, module: 'disabled-key' })).toMatchObject({ verdict: 'passed', cost_quota: null });
  });

  it('proves nothing where that is so, without an error', async () => {
    expect(await read({ ...CHAT, max_cost_usd: 0 })).toMatchObject({
      verdict: 'skipped',
      passed: false,
      message: expect.stringContaining('the cost limit of the run is reached. To raise the limit, use `max_cost_usd`'),
    });
    const there = await read({ key_id: 3, module: 'forbidden-address' });
    expect(there).toMatchObject({ passed: expect.any(Boolean) });
    expect(there.message).not.toContain('Pass a second address');
  });

  it.each<[Partial<TerraformObject>, readonly (string | number)[], string]>([
    [{ key_id: 77, module: 'chat' }, ['key_id'], 'no key with the id 77'],
    [
      { ...CHAT, expect: { min_dimensions: 3 } },
      ['expect', 'min_dimensions'],
      '`min_dimensions` is not supported by chat',
    ],
    [{ ...CHAT, family: 'nobody' }, ['family'], '`family` is not a family'],
    [{ ...CHAT, request: '{"temperature": 9}' }, ['request'], '`request.temperature`'],
    [{ module: 'image', model: 'alpha-chat-1' }, ['model'], '`model` belongs to no family that image supports'],
    [{ ...FILM, costly: null }, ['costly'], 'The check video is costly'],
    [{ module: 'image', model: 'alpha-image-1', costly: false }, ['costly'], 'The check image is costly'],
  ])('refuses %j at %j before anything is sent', async (config, path, summary) => {
    await stage.counts();
    await expect(read(config)).rejects.toMatchObject({
      message: expect.stringContaining(summary),
      diagnostics: [{ severity: 'error', path }],
    });
    expect(Object.keys(await stage.counts()).filter((route) => route.includes('/v1/'))).toEqual([]);
  });

  it('names the expectations that there are as they are named here', async () => {
    const refused = read({ module: 'embeddings', expect: { count: 1 } });
    await expect(refused).rejects.toThrow('it supports dimensions, min_dimensions, max_latency_ms');
  });

  it('is an error where somebody ended it: nothing is known then', async () => {
    const stopped = { ...contextFor(stage.gateway), signal: AbortSignal.abort() };
    const reading = checkSource(async () => environment).read(argumentsOf(CHAT), stopped);
    await expect(reading).rejects.toThrow('The check was interrupted');
  });

  it('retries as often as configured', async () => {
    const fault = { kind: 'status', code: 500, times: 2, method: 'POST', path: '/v1/chat/completions' };
    await stage.control.script(fault);
    expect(await read({ ...CHAT, retries: 1 })).toMatchObject({ verdict: 'failed' });
    expect(await read(CHAT)).toMatchObject({ verdict: 'passed' });
    await stage.control.script(fault);
    expect(await read({ ...CHAT, retries: 2 })).toMatchObject({ verdict: 'passed' });
  });

  it('examines images, and pays for none that it cannot examine', async () => {
    const picture = { module: 'image', model: 'alpha-image-1', costly: true };
    expect(await read(picture)).toMatchObject({ verdict: 'passed', cost_usd: 0.01 });
    environment = { ...environment, canDecodeImages: async () => false };
    await stage.counts();
    // An error would block each plan, and the destroy of everything else.
    expect(await read(picture)).toMatchObject({
      ...{ verdict: 'unprovable', passed: false, cost_quota: 0 },
      message: expect.stringMatching(/nothing was sent.*sharp.*`keyplane check --costly`/),
    });
    expect(await stage.counts()).not.toHaveProperty('POST /v1/images/generations');
    expect(await read(CHAT)).toMatchObject({ passed: true });
  });
});

describe('keyplane_check of a video', () => {
  const submissions = async () => (await stage.counts())['POST /v1/video/generations'] ?? 0;

  it('is paid for once: who reads it again looks at the task that is under way', async () => {
    const early = await read({ ...FILM, timeout: '1s' });
    expect(early).toMatchObject({ passed: false });
    expect(await submissions()).toBe(1);
    expect(await readFile(join(folder, 'tasks.jsonl'), 'utf8')).toContain('"submitted"');
    expect(await read(FILM)).toMatchObject({ verdict: 'passed', cost_quota: 0 });
    expect(await submissions()).toBe(0);
  });

  it('is not sent again after a lost response, and explains what to do', async () => {
    await stage.control.script({ kind: 'cut-after', method: 'POST', path: '/v1/video/generations' });
    await read(FILM);
    await stage.control.clearFaults();
    await stage.counts();
    const again = await read(FILM);
    expect(await submissions()).toBe(0);
    expect(again.message).toContain('remove its lines from the ledger');
    expect(again.message).not.toContain('--resubmit');
  });
});

describe('keyplane_check, done', () => {
  it('reports its progress, its verdict, and its cost by the public price until a charge shows less', async () => {
    const { lines, failure, warnings } = await invoke(CHAT);
    expect(failure).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(lines).toEqual([
      'Estimated cost: at most $0.006652.',
      'chat with the key "open"…',
      'chat (alpha-chat-1) with the key "open": passed',
    ]);
    expect((await invoke(CHAT)).lines[0]).toBe('Estimated cost: about $0.000144.');
  });

  it('fails when the check fails', async () => {
    const { lines, failure } = await invoke({ ...CHAT, expect: { contains: ['never written'] } });
    expect(lines.at(-1)).toBe('chat with the key "open"…');
    expect(failure).toMatchObject({
      diagnostics: [
        { severity: 'error', summary: 'The check failed', detail: expect.stringContaining('never written') },
      ],
    });
  });

  it('warns when nothing was proven', async () => {
    const { failure, warnings } = await invoke({ ...CHAT, max_cost_usd: 0 });
    expect(failure).toBeUndefined();
    expect(warnings).toMatchObject([{ summary: 'The check proved nothing' }]);
  });

  it('refuses arguments as the data source does', async () => {
    expect((await invoke({ ...FILM, costly: null })).failure).toMatchObject({ diagnostics: [{ path: ['costly'] }] });
  });
});

describe('the schema of keyplane_check', () => {
  const problems = (name: string, value: unknown) => {
    const { attributes } = checkAction(async () => environment).schema;
    return attributes[name]?.check?.(value as never).length;
  };

  it.each<[string, unknown, number]>([
    ['module', 'chat', 0],
    ['module', 'chatter', 1],
    ['timeout', '30s', 0],
    ['timeout', '2d', 1],
    ['request', '{"a":1}', 0],
    ['request', '[1]', 1],
    ['max_cost_usd', 0.5, 0],
    ['max_cost_usd', -1, 1],
    ['retries', 0, 0],
    ['retries', 6, 1],
  ])('finds in %s = %j so many problems: %i', (name, value, count) => {
    expect(problems(name, value)).toBe(count);
  });
});
