import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemsOf } from '../cli/output-form.ts';
import { openPlace, type Place } from './place.ts';

describe('what the built program prints with `--format json`', () => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace([]);
  });
  afterAll(() => place.close());

  it.each([
    ['provider', 'schema'],
    ['provider', 'install'],
  ])('is described by the schema: %s %s', async (...words) => {
    const { code, stdout } = await place.start([...words, '--format', 'json']).ended;
    expect(code).toBe(0);
    expect(problemsOf(JSON.parse(stdout))).toEqual([]);
  });

  it('is described by the schema while a gateway runs', async () => {
    const { child, ended } = place.start(['gateway', '--format', 'json']);
    await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(problemsOf(JSON.parse(stdout))).toEqual([]);
  });
});
