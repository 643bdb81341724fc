import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderDeliveries } from '../../src/cli/output/deliveries.ts';
import { PLAIN } from '../../src/cli/output/layout/paint.ts';
import type { SinkTarget } from '../../src/domain/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import { sinksBy } from '../contract/memory-sink.ts';
import { openIn, scratch } from '../delivery/scratch.ts';
import { declareNew, emptyAccount, NOW, state } from '../reconcile/account.ts';

let room: Awaited<ReturnType<typeof scratch>>;
beforeEach(async () => {
  room = await scratch();
});
afterEach(() => room.close());

const desired = state([declareNew('a')]);

/** An account whose one key has these sinks: a plan runs no program. */
function openAccount() {
  const store = emptyAccount();
  const engineFor = (targets: readonly SinkTarget[], exec: 'permitted' | 'never') => {
    const sinks = sinksBy({ a: targets.map((target) => openIn(target, room.folder, {}, { exec })) });
    return createEngine({ store, now: () => NOW, concurrency: 4, sinks });
  };
  return {
    apply: (...targets: readonly SinkTarget[]) =>
      engineFor(targets, 'permitted').apply(desired, { confirm: async () => {} }),
    deliveries: async (...targets: readonly SinkTarget[]) =>
      (await engineFor(targets, 'never').plan(desired)).plan.deliveries,
  };
}

const STORE = ['sh', '-c', 'echo ran >> runs; cat > stored'];
const READ = ['sh', '-c', 'cat stored 2>/dev/null || true'];
const recipient = async (): Promise<string> => identityToRecipient(await generateX25519Identity());

describe('a plan that sends a secret to others than the last one', () => {
  it('shows the recipients that an encrypted file gets and loses', async () => {
    const { apply, deliveries } = openAccount();
    const [kept, lost, added] = [await recipient(), await recipient(), await recipient()];
    const before = { file: 'key.age', encrypt: [kept, lost] };
    const after = { file: 'key.age', encrypt: [added, kept] };
    expect(await deliveries(before)).toMatchObject([{ reason: 'new-key', audience: { now: expect.any(Array) } }]);
    await apply(before);
    expect(await deliveries(before)).toBeUndefined();
    const named = (...recipients: readonly string[]) => recipients.map((each) => `recipient ${each}`).sort();
    const audience = { now: named(added, kept), before: named(kept, lost) };
    const seen = (await deliveries(after)) ?? [];
    expect(seen).toMatchObject([{ action: 'write', reason: 'audience', audience }]);
    const shown = renderDeliveries(seen, { paint: PLAIN, width: 80, edits: 'arrow' }).split('\n');
    expect(shown).toEqual(
      expect.arrayContaining([`    + recipient ${added}`, `    - recipient ${lost}`, `      recipient ${kept}`]),
    );
    await apply(after);
    expect(await deliveries(after)).toBeUndefined();
  });

  it.each<[string, Partial<SinkTarget>, Partial<SinkTarget>, now: readonly string[], runs: number]>([
    ['the program that reads it back', { read: READ }, { read: ['cat', 'stored'] }, ['read cat stored'], 1],
    ['a variable', { env: ['A'] }, { env: ['B', 'A'] }, ['variable A', 'variable B'], 2],
    [
      'a variable in addition to a program',
      { read: READ },
      { read: READ, env: ['B'] },
      [`read sh -c "${READ[2]}"`, 'variable B'],
      1,
    ],
  ])('shows %s', async (_title, before, after, now, runs) => {
    const { apply, deliveries } = openAccount();
    await apply({ exec: STORE, ...before });
    expect(await deliveries({ exec: STORE, ...before })).toBeUndefined();
    const target = { exec: STORE, ...after };
    expect(await deliveries(target)).toMatchObject([{ action: 'write', reason: 'audience', audience: { now } }]);
    await apply(target);
    expect(await deliveries(target)).toBeUndefined();
    expect((await readFile(join(room.folder, 'runs'), 'utf8')).split('\n').length - 1).toBe(runs);
  });
});

describe('a change of the audience that somebody also writes into the record of the last delivery', () => {
  const edit = async (path: string, change: (line: Record<string, unknown>) => object): Promise<void> => {
    const file = join(room.folder, path);
    await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')))));
  };
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

  it('is shown for an encrypted file, as is another text in it', async () => {
    const { apply, deliveries } = openAccount();
    const [mine, theirs] = [await recipient(), await recipient()];
    await apply({ file: 'key.age', encrypt: [mine] });
    await edit('key.age.keyplane', (line) => ({ ...line, recipients: [mine, theirs].sort().join(' ') }));
    const [seen] = (await deliveries({ file: 'key.age', encrypt: [mine, theirs] })) ?? [];
    expect(seen).toMatchObject({ action: 'write', audience: { now: expect.arrayContaining([`recipient ${theirs}`]) } });
    expect(seen).not.toHaveProperty('audience.before');
    await writeFile(join(room.folder, 'key.age'), 'garbage');
    await edit('key.age.keyplane', (line) => ({ ...line, recipients: mine, digest: hashOf('garbage') }));
    expect(await deliveries({ file: 'key.age', encrypt: [mine] })).toMatchObject([{ action: 'write' }]);
  });

  it('is shown for a program', async () => {
    const { apply, deliveries } = openAccount();
    await apply({ exec: STORE });
    const [claim = ''] = await readdir(join(room.folder, '.keyplane/sinks'));
    await edit(`.keyplane/sinks/${claim}`, (line) => ({ ...line, audience: ['variable B'] }));
    const [seen] = (await deliveries({ exec: STORE, env: ['B'] })) ?? [];
    expect(seen).toMatchObject({ action: 'write', audience: { now: ['variable B'] } });
    expect(seen).not.toHaveProperty('audience.before');
  });
});

it('delivers to two sinks whose words are the same without quotes', async () => {
  const { apply } = openAccount();
  const report = await apply(
    { file: 'a b', format: 'raw' },
    { file: 'a', format: 'dotenv', as: 'b' },
    { exec: ['tee', 'x y'] },
    { exec: ['tee', 'x', 'y'] },
  );
  expect(report.deliveries?.map(({ state: outcome }) => outcome)).toEqual(Array(4).fill('delivered'));
  const held = await Promise.all(
    ['a b', 'a', 'x y', 'x', 'y'].map((name) => readFile(join(room.folder, name), 'utf8')),
  );
  expect(new Set(held.map((text) => text.replace(/^b=|\n$/g, ''))).size).toBe(1);
});
