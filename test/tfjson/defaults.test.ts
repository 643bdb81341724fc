import { expect, test } from 'vitest';
import { readFiles } from '../manifest/scratch.ts';
import { outputOf, stackOf } from './synthesized.ts';

const OWN = `version: 1
defaults:
  enabled: false
  group: vip
  allowIps: anywhere
  models: any
  budget: unlimited
  checks: [chat]
  rotate: { every: 30d, overlap: 2d }
keys: { own: {} }
`;

test('the defaults of a manifest do not apply to keys of Terraform JSON', async () => {
  const files = { ...outputOf({ prod: stackOf({ app: { name: 'app' } }) }), 'own.yaml': OWN };
  for (const paths of [
    ['cdktf.out', 'own.yaml'],
    ['own.yaml', 'cdktf.out'],
  ]) {
    const { manifest } = await readFiles(files, { paths });
    const [app, own] = manifest?.desired.keys ?? [];
    expect({ ...app, place: undefined }).toEqual({ name: 'app', place: undefined });
    expect(own).toMatchObject({ name: 'own', enabled: false, group: 'vip' });
    expect([...(manifest?.selections.keys() ?? [])]).toEqual(['own']);
    expect([...(manifest?.verbatim.keys() ?? [])]).toEqual(['own']);
  }
});
