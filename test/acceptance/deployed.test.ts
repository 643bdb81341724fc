import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declarations, openPlace, type Place } from './place.ts';

describe('a gateway as deployed', () => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace([{ id: 3, name: 'app-1', remain_quota: 100 }], 'deployed');
    await place.declare(declarations(4));
  });
  afterAll(() => place.close());

  it('is planned, applied, imported and looked at like any other', async () => {
    expect((await place.run(['doctor'])).code).toBe(0);
    expect((await place.run(['apply', '--yes'])).code).toBe(0);
    expect((await place.run(['drift'])).code).toBe(0);
    expect((await place.run(['import', '--out', 'imported.yaml'])).code).toBe(0);
    const plan = JSON.parse((await place.run(['plan', '-f', 'imported.yaml', '--format', 'json'])).stdout);
    expect(plan.data.summary.pending).toBe(0);
    expect((await place.run(['keys', 'list'])).stdout).toContain('4 keys');
  });
});
