import { expect, it } from 'vitest';
import type { Edit, KeyName, Plan } from '../../../../src/domain/index.ts';
import { notConverged } from '../../../../src/terraform/keyplane/key/write/report.ts';

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
