import { expect, it } from 'vitest';
import { type ApplyReport, type Edit, Fault, type KeyName, type Plan } from '../../../../src/domain/index.ts';
import { notConverged, reportDiagnostics } from '../../../../src/terraform/keyplane/key/write/report.ts';

const after = (edits: readonly Edit[]): Plan =>
  ({ changes: [{ verb: 'update', name: 'one' as KeyName, id: 1, edits }], notes: [] }) as never;

it.each<[attributes: readonly string[], edits: readonly Edit[]]>([
  [['name'], [{ field: 'name', before: 'two', after: 'one' }] as never],
  [['expires_at'], [{ field: 'expires', before: null, after: 1 }] as never],
  [
    ['budget'],
    [
      { field: 'unlimited', before: true, after: false },
      { field: 'remain', before: 0, after: 5 },
    ] as never,
  ],
  [
    ['smart_routing_tiers'],
    [
      { field: 'smartRouting', before: false, after: true },
      { field: 'smartRouteTiers', before: '', after: '{}' },
    ] as never,
  ],
])('names the attributes %j that a gateway did not keep, each at its path, with what to do', (attributes, edits) => {
  const unkept = notConverged({ after: after(edits) });
  expect(unkept.map(({ path }) => path?.join())).toEqual(attributes);
  for (const [index, name] of attributes.entries()) {
    expect(unkept[index]?.summary).toBe(`The gateway accepted the change, but \`${name}\` still differs`);
    expect(unkept[index]?.detail).toContain(name === 'name' ? 'Plan again' : `remove \`${name}\``);
  }
});

const unstarted = (reason: string, more: Partial<ApplyReport>, verb = 'update', code?: string) =>
  reportDiagnostics({
    outcomes: [{ state: 'skipped', reason, code, change: { verb, name: 'one' } }],
    corrections: [],
    interrupted: false,
    ...more,
  } as never).map(({ severity, summary, detail, path }) => [severity, summary, detail, path]);

it('reports the fault that ended a run instead of the changes that did not start', () => {
  const fatal = new Fault('apply.lock-lost', 'This run no longer holds the lock.', { hint: 'Apply again.' });
  expect(unstarted('not started after apply.lock-lost', { fatal })).toEqual([
    ['error', 'This run no longer holds the lock.', expect.stringContaining('Apply again.'), undefined],
  ]);
});

it.each([
  ['update', 'changed'],
  ['create', 'created'],
  ['delete', 'deleted'],
])('reports of an interrupted %s only that it did not start', (verb, done) => {
  expect(unstarted('interrupted before it started', { interrupted: true }, verb)).toEqual([
    ['error', `Interrupted before the key was ${done}`, 'Apply again.', undefined],
  ]);
});

it('reports a change that an interruption kept from being sent as one that did not start', () => {
  const [[, summary] = []] = unstarted('interrupted', { interrupted: true }, 'update', 'gateway.interrupted');
  expect(summary).toBe('Interrupted before the key was changed');
});

it('proposes to apply again, or more parallelism, only for a name that is taken', () => {
  const [[, taken, remedy] = []] = unstarted('key 2 already has the name “one”', {}, 'rename');
  expect(taken).toBe('Skipped: key 2 already has the name “one”');
  expect(remedy).toContain('-parallelism');
  expect(unstarted('the update of its settings did not succeed', {}, 'enable')).toEqual([
    ['error', 'Skipped: the update of its settings did not succeed', undefined, undefined],
  ]);
});
