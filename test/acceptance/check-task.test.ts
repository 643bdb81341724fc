import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyplane, loadManifest, openGateway, Secret } from '../../src/index.ts';
import { countsOf, dataOf, openCheckedPlace, verdicts } from './checked-place.ts';
import { ACCESS_TOKEN, CANARY, type Place, USER_ID } from './place.ts';

const SUBMIT = 'POST /v1/video/generations';

let place: Place;
beforeEach(async () => {
  place = await openCheckedPlace();
});
afterEach(() => place.close());

const counts = () => countsOf(place);

describe('a paid task', () => {
  const advance = () => place.control('POST', '/clock', { advance: 4000 });
  const FILM = ['check', 'film', '--format', 'json'];

  /** Resolves when the gateway has answered so many looks at the task. */
  const looked = async (): Promise<void> => {
    while (((await counts())['GET /v1/video/generations/{task_id}'] ?? 0) === 0) await advanceNothing();
  };
  const advanceNothing = () => place.control('GET', '/clock');

  it('is not paid twice when the run is killed while it waits', async () => {
    const first = place.start(FILM);
    await looked();
    first.child.kill('SIGKILL');
    await first.ended;
    await advance();
    const second = await place.run(FILM);
    expect(second.code).toBe(0);
    expect(verdicts(dataOf(second))).toEqual({ 'studio film': 'passed' });
    expect((await counts())[SUBMIT]).toBe(1);
    expect(await place.read('keyplane.tasks.jsonl')).not.toContain(CANARY);
  });

  it('is not paid again when a program continues what the command line has begun', async () => {
    const first = place.start(FILM);
    await looked();
    first.child.kill('SIGKILL');
    await first.ended;
    await advance();
    await using gateway = await openGateway({ url: place.url, userId: USER_ID, accessToken: new Secret(ACCESS_TOKEN) });
    const keyplane = createKeyplane({ gateway, stateFolder: join(place.folder, 'state') });
    const manifest = await loadManifest('keyplane.yaml', { folder: place.folder });
    const report = await keyplane.check(manifest, { select: ['film'], only: ['studio'] });
    expect(report.results).toMatchObject([{ key: 'studio', check: 'film', verdict: 'passed' }]);
    expect((await counts())[SUBMIT]).toBe(1);
  });

  it('is indeterminate when the run is killed while it submits, and stays so until somebody has looked', async () => {
    await place.control('POST', '/faults', { kind: 'hold-after', method: 'POST', path: '/v1/video/generations' });
    const first = place.start(FILM);
    await place.control('GET', '/held?wait=1');
    first.child.kill('SIGKILL');
    await first.ended;
    await place.control('POST', '/release', {});
    const second = await place.run(FILM);
    expect(second.code).toBe(6);
    expect(dataOf(second).results[0]).toMatchObject({ verdict: 'failed', code: 'gateway.indeterminate' });
    expect((await counts())[SUBMIT]).toBe(1);
    const third = place.start([...FILM, '--resubmit']);
    await looked();
    await advance();
    expect((await third.ended).code).toBe(0);
    expect((await counts())[SUBMIT]).toBe(2);
  });

  it('is indeterminate when its answer is lost', async () => {
    await place.control('POST', '/faults', { kind: 'cut-after', method: 'POST', path: '/v1/video/generations' });
    for (const run of [1, 2]) {
      const ended = await place.run(FILM);
      expect(dataOf(ended).results[0], `run ${run}`).toMatchObject({ code: 'gateway.indeterminate' });
    }
    expect((await counts())[SUBMIT]).toBe(1);
  });
});
