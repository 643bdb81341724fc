import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Compiled, compileGateway } from '../compiled.ts';
import { SEED, send } from '../harness.ts';

/** Room for some copies of the text. A list of its words would need 2.8 GB. */
const HEAP_MIB = 500;
const BYTES = 59_000_000;

describe('a gateway with little memory', () => {
  let compiled: Compiled;
  beforeAll(() => {
    compiled = compileGateway();
  });
  afterAll(() => compiled.remove());

  it.each([
    ['many words', 'ab '],
    ['one word', 'a'],
    ['letters without spaces', '面'],
  ])('answers a request with 59 MB of %s', async (_what, unit) => {
    const keys = [{ id: 1, name: 'plain', key: 'plain', unlimited_quota: true }];
    const accounts = [{ userId: 42, accessToken: 'token', quota: 1_000_000_000 }];
    const options = JSON.stringify({ seed: { ...SEED, accounts, keys } });
    const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, compiled.program, options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const content = unit.repeat(BYTES / Buffer.byteLength(unit));
    const body = { model: 'chat-a', messages: [{ role: 'user', content }], reasoning_effort: 'low' };
    const answer = await send(`${url}/v1/chat/completions`, 'POST', body, { authorization: 'Bearer sk-plain' });
    const closed = once(child, 'close');
    child.kill();
    await closed;
    expect([answer.status, answer.json]).toMatchObject([200, { object: 'chat.completion' }]);
  });
});
