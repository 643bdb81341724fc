import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ConformanceFinding,
  type ConformanceLevel,
  type ConformanceReport,
  examineConformance,
  type GatewayProfile,
  probesOf,
} from '../../src/conformance/index.ts';
import { Secret } from '../../src/domain/index.ts';
import { type Gateway, openGateway } from '../../src/gateway/index.ts';
import { type ProfileName, startReferenceGateway } from '../../src/reference/index.ts';
import { parseGatewayProfile, SHIPPED_PROFILES } from '../../src/wire/index.ts';
import { ACCESS_TOKEN, openPlace, type Place, PROFILES } from '../acceptance/place.ts';
import { type Instead, openPlanter } from '../properties/planter.ts';

const MODEL = 'alpha-chat-1';
const KEYS = ['prod-one', 'prod-two'].map((name) => ({ name, remain_quota: 1000 }));
const NO_LIMITS = { limits: { api: null, search: null, reveal: null } };

interface Stage {
  readonly place: Place;
  readonly gateway: Gateway;
  readonly instead: (how: (path: string) => Instead | undefined) => void;
  readonly examine: (
    level: ConformanceLevel,
    more?: { signal?: AbortSignal; onFinding?: () => void; onSleep?: () => Promise<void> },
  ) => Promise<ConformanceReport>;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A gateway behind a proxy that can answer in its place. */
async function openStage(profile: ProfileName, keys = KEYS): Promise<Stage> {
  const place = await openPlace(keys, profile, { [MODEL]: {} }, NO_LIMITS);
  closing.push(() => place.close());
  const planter = await openPlanter(place.url, '');
  closing.push(planter.close);
  const gateway = openGateway({ url: planter.url, userId: 42, accessToken: new Secret(ACCESS_TOKEN) });
  closing.push(() => gateway.close());
  return {
    place,
    gateway,
    instead: (how) => planter.answer(how),
    examine: (level, { signal = new AbortController().signal, onFinding = () => {}, onSleep = async () => {} } = {}) =>
      examineConformance({
        ask: gateway.ask,
        userId: 42,
        level,
        spending: level === 'inference' ? { model: MODEL, quota: 50_000 } : undefined,
        nonce: randomBytes(3).toString('hex'),
        steady: () => performance.now(),
        sleep: onSleep,
        signal,
        onFinding,
      }),
  };
}

const others = ({ findings }: ConformanceReport) =>
  findings.flatMap(({ id, verdict, observed }) => (verdict === 'conforms' ? [] : [`${verdict} ${id} ${observed}`]));

const find = ({ findings }: ConformanceReport, id: string): ConformanceFinding | undefined =>
  findings.find((finding) => finding.id === id);

const json = (body: unknown, status = 200): Instead => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('the conformance of the reference gateway', () => {
  it.each<[ProfileName, readonly string[]]>([
    ['contract', ['unprovable log.entry.missing-fields undefined', 'known-deviation inference.address-header yes']],
    [
      'deployed',
      [
        'known-deviation keys.record.missing-fields smart_routing, smart_route_tiers',
        'unprovable log.entry.missing-fields undefined',
        'known-deviation inference.error-type new_api_error',
        'known-deviation keys.name.limit 50 bytes',
        'known-deviation keys.group.validated no',
        'known-deviation keys.addresses.validated no',
        'known-deviation keys.keeps.smart_routing dropped',
        'known-deviation keys.keeps.smart_route_tiers dropped',
        'known-deviation keys.status-only.values any',
        'known-deviation keys.search.matches whole',
        'known-deviation inference.address-header yes',
        'known-deviation inference.count-tokens 404',
      ],
    ],
  ])('with profile %s', async (profile, expected) => {
    const { examine, place } = await openStage(profile);
    const report = await examine('inference');
    expect(others(report)).toEqual(expected);
    expect(report.findings.map(({ id }) => id)).toEqual(
      probesOf('inference', { model: MODEL, quota: 1 }).map(({ id }) => id),
    );
    expect(report.leftovers).toEqual([]);
    const stated = profile === 'contract' ? SHIPPED_PROFILES.contract.observed : {};
    for (const [id, value] of Object.entries(stated)) {
      // The log has no entry before the first request.
      if (id !== 'log.entry.missing-fields') expect([id, find(report, id)?.observed]).toEqual([id, value]);
    }
    expect((await place.keys()).map(({ name }) => name)).toEqual(['prod-one', 'prod-two']);
  });
});

const measured = (version: string): GatewayProfile =>
  parseGatewayProfile(readFileSync(`docs/conformance/new-api-${version}.json`, 'utf8'), version);

const WITH_MODEL = ['--level', 'inference', '--model', MODEL, '--profile', 'observed.json'];

describe('a reference gateway that imitates a measured one', () => {
  it.each(['0.13.2', '1.0.0-rc.24'])('answers as version %s', async (version) => {
    const profile = measured(version);
    const place = await openPlace(KEYS, profile, { [MODEL]: {} }, NO_LIMITS);
    closing.push(() => place.close());
    await place.run(['conformance', ...WITH_MODEL]);
    const { observed } = parseGatewayProfile(await place.read('observed.json'), 'observed.json');
    const differing = Object.entries(profile.observed).flatMap(([id, value]) =>
      observed[id] === value ? [] : [`${id}: ${value}`],
    );
    // The log of the new account is empty, so nothing is known of its entries.
    expect(differing).toEqual(['log.entry.missing-fields: none', ...place.unplayed]);
    expect(place.unplayed).toEqual([]);
  });

  it.each([
    ['0.13.2', 180, null],
    ['1.0.0-rc.24', 360, '180'],
  ])('has the rate limits of version %s: %i requests to the System API', async (version, most, wait) => {
    const gateway = await startReferenceGateway({ profile: measured(version), now: () => 1_800_000_000 });
    closing.push(() => gateway.close());
    const statuses: number[] = [];
    let last = await fetch(new URL('/api/status', gateway.url));
    for (; last.ok && statuses.length < 400; last = await fetch(last.url)) {
      statuses.push(last.status);
      await last.text();
    }
    expect([statuses.length, last.status, last.headers.get('retry-after'), await last.text()]).toEqual([
      most,
      429,
      wait,
      '',
    ]);
    expect(last.headers.get('x-new-api-version')).toBe(`v${version}`);
  });

  it('conforms where the observed gateway does, and drops what that drops', async () => {
    const observed = {
      'inference.error-type': 'invalid_request_error',
      'keys.list.total': 'data.total',
      'keys.record.secret': 'masked in the middle',
      'keys.name.limit': 'more',
      'keys.keeps.smart_routing': 'dropped',
      'keys.search.matches': 'start',
      'some.other-question': 'yes',
    };
    const place = await openPlace(KEYS, { version: 1, level: 'write', observed }, { [MODEL]: {} }, NO_LIMITS);
    closing.push(() => place.close());
    await place.run(['conformance', '--level', 'write', '--profile', 'observed.json']);
    const found = parseGatewayProfile(await place.read('observed.json'), 'observed.json').observed;
    const unplayed = ['keys.search.matches: start', 'some.other-question: yes'];
    expect(place.unplayed).toEqual(unplayed);
    expect(Object.entries(observed).filter(([id, value]) => found[id] !== value)).toEqual(
      unplayed.map((line) => line.split(': ')),
    );
  });
});

describe('keyplane gateway --profile', () => {
  it('refuses a file that is missing or no profile, and a name that is neither', async () => {
    const { place } = await openStage('contract');
    await place.write('other.json', '{"version":1}');
    const tried = async (profile: string) => await place.run(['gateway', '--profile', profile]);
    for (const [profile, mistake] of [
      ['none.json', 'The profile none.json cannot be read'],
      ['other.json', 'other.json is not a profile of a gateway: level:'],
      ['deplyed', 'Invalid value "deplyed" for --profile'],
    ] as const) {
      expect(await tried(profile)).toMatchObject({ code: 3, stderr: expect.stringContaining(mistake) });
    }
  });
});

describe('a profile file', () => {
  it.each([
    ['{', 'it is not JSON'],
    ['[]', 'Invalid input'],
    ['{"version":2,"level":"read","observed":{}}', 'version: must be 1'],
    ['{"version":1,"level":"all","observed":{}}', 'level: must be one of read, write, inference'],
    ['{"version":1,"level":"read","observed":{"a.b":1}}', 'observed.a.b: must be a text'],
    ['{"version":1,"level":"read","observed":{},"token":"x"}', 'Unrecognized key: "token"'],
  ])('is refused with its first mistake: %s', (text, mistake) => {
    expect(() => parseGatewayProfile(text, 'p.json')).toThrow(`p.json is not a profile of a gateway: ${mistake}`);
  });
});

describe('an examination', () => {
  it.each(PROFILES)('writes nothing at the level read: %s', async (profile) => {
    const { examine, place } = await openStage(profile);
    await examine('read');
    const { requests } = await place.control<{ requests: Record<string, number> }>('GET', '/requests');
    expect(Object.keys(requests).filter((route) => !/^GET |chat\/completions/.test(route))).toEqual([]);
  });

  it('makes the two keys that statements about lists need', async () => {
    const { examine, place } = await openStage('contract', []);
    expect(find(await examine('read'), 'keys.list.order')).toMatchObject({
      verdict: 'unprovable',
      meaning: 'the account needs 2 keys for it',
    });
    expect(find(await examine('write'), 'keys.list.order')).toMatchObject({ observed: 'oldest first' });
    expect(await place.keys()).toEqual([]);
  });

  it('does not take a chat for a count of tokens', async () => {
    const { examine, instead } = await openStage('contract');
    instead((path) => (path.endsWith('/count_tokens') ? json({ object: 'chat.completion' }) : undefined));
    expect(find(await examine('inference'), 'inference.count-tokens')).toMatchObject({
      verdict: 'known-deviation',
      observed: '200 without a count',
    });
  });

  it.each<[object, object]>([
    [
      { success: false, message: 'invalid id' },
      { verdict: 'known-deviation', observed: 'refused' },
    ],
    [
      { success: true, data: [] },
      { verdict: 'unknown-deviation', observed: 'none' },
    ],
  ])('distinguishes a search that is refused from one that finds nothing: %j', async (body, expected) => {
    const { examine, instead } = await openStage('contract');
    instead((path) => (path.startsWith('/api/token/search') ? json(body) : undefined));
    expect(find(await examine('write'), 'keys.search.matches')).toMatchObject(expected);
  });

  it.each([
    [1, 'both', 'conforms'],
    [20, 'both', 'conforms'],
    [21, 'neither', 'known-deviation'],
  ])('waits for a charge that comes after %i readings: %s', async (readings, observed, verdict) => {
    const { examine, instead } = await openStage('deployed');
    let left = readings;
    instead((path) => {
      const id = /^\/api\/token\/(\d+)$/.exec(path)?.[1];
      if (id === undefined || left === 0) return undefined;
      return json({ success: true, data: { id: Number(id), remain_quota: 50_000, used_quota: 0 } });
    });
    const { findings } = await examine('inference', {
      async onSleep() {
        left -= 1;
      },
    });
    expect(findings.find(({ id }) => id === 'inference.charge')).toMatchObject({ observed, verdict });
  });

  it('does not wait for a charge any longer once it is interrupted', async () => {
    const { examine, instead } = await openStage('deployed');
    const interruption = new AbortController();
    let reads = 0;
    instead((path) => {
      const id = /^\/api\/token\/(\d+)$/.exec(path)?.[1];
      if (id === undefined || interruption.signal.aborted) return undefined;
      reads += 1;
      return json({ success: true, data: { id: Number(id), remain_quota: 50_000, used_quota: 0 } });
    });
    const report = await examine('inference', {
      signal: interruption.signal,
      async onSleep() {
        reads = 0;
        interruption.abort();
      },
    });
    expect([reads, find(report, 'inference.charge')]).toEqual([
      0,
      expect.objectContaining({ verdict: 'unprovable', meaning: 'the run was interrupted' }),
    ]);
  });

  it('deletes its keys after an interruption too, and ends', async () => {
    const { examine, place } = await openStage('deployed');
    const interruption = new AbortController();
    let found = 0;
    const onFinding = (): void => {
      found += 1;
      if (found === 25) interruption.abort();
    };
    const report = await examine('write', { signal: interruption.signal, onFinding });
    expect(report.findings).toHaveLength(25);
    expect(await place.keys()).toHaveLength(2);
  });

  it('names the keys that it could not delete', async () => {
    const { examine, instead } = await openStage('deployed');
    instead((path) => (/^\/api\/token\/\d+$/.test(path) ? json({ success: false, message: 'no' }) : undefined));
    const { leftovers } = await examine('write');
    expect(leftovers.length).toBeGreaterThan(5);
    expect(leftovers[0]).toMatch(/^keyplane-probe-[0-9a-f]{6}-\d\d/);
  });

  it('names the keys that may be there when the gateway goes away', async () => {
    const { examine, instead, place } = await openStage('deployed');
    let found = 0;
    const onFinding = (): void => {
      found += 1;
      if (found === 25) instead(() => json({}, 502));
    };
    const { leftovers } = await examine('write', { onFinding });
    const names = (await place.keys()).map(({ name }) => name).filter((name) => name.startsWith('keyplane-probe-'));
    expect(names.length).toBeGreaterThan(3);
    expect(leftovers).toEqual(expect.arrayContaining([...new Set(names)]));
  });

  it('deletes the other keys when one cannot be deleted', async () => {
    const { examine, place } = await openStage('deployed');
    await place.control('POST', '/faults', { kind: 'cut-before', method: 'DELETE', path: '/api/token*', times: 1 });
    expect((await examine('write')).leftovers).toHaveLength(1);
    expect(await place.keys()).toHaveLength(KEYS.length + 1);
  });

  it.each<[string, string, (path: string) => Instead | undefined, Partial<ConformanceFinding>]>([
    [
      'a bare list',
      'keys.list.place',
      (path) => (/^\/api\/token\/\?p=1/.test(path) ? json({ success: true, data: [] }) : undefined),
      { verdict: 'known-deviation', observed: 'data' },
    ],
    [
      'a page of another form',
      'keys.list.place',
      (path) => (/^\/api\/token\/\?p=1/.test(path) ? json({ success: true, rows: [] }) : undefined),
      { verdict: 'unknown-deviation', observed: 'none' },
    ],
    [
      'HTML',
      'groups.form',
      (path) =>
        path.includes('groups') ? { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' } : undefined,
      { verdict: 'unknown-deviation', observed: '502' },
    ],
    [
      'a listing of keys in clear',
      'keys.record.secret',
      (path) => (/^\/api\/token\/\?/.test(path) ? json({ success: true, data: [{ id: 1, key: 'abc' }] }) : undefined),
      { verdict: 'known-deviation', observed: 'clear' },
    ],
    [
      'overload',
      'inference.unknown-key',
      (path) => (path.startsWith('/v1') ? json({ error: { code: 'system_cpu_overloaded' } }, 503) : undefined),
      { verdict: 'unprovable', meaning: 'the gateway is overloaded' },
    ],
    [
      'an owner that is not compared',
      'credentials.user-header',
      (path) => (path === '/api/user/self' ? json({ success: true, data: { id: 42, quota: 1 } }) : undefined),
      { verdict: 'known-deviation', observed: 'no' },
    ],
  ])('recognizes %s', async (_, id, how, expected) => {
    const { examine, instead } = await openStage('contract');
    instead(how);
    expect(find(await examine('read'), id)).toMatchObject(expected);
  });

  it('reports what went wrong in a probe as an error of its own', async () => {
    const { examine, place } = await openStage('contract');
    await place.control('POST', '/faults', {
      kind: 'cut-before',
      method: 'GET',
      path: '/api/user/self/groups',
      times: 9,
    });
    expect(find(await examine('read'), 'groups.form')).toMatchObject({ verdict: 'engine-error' });
  });
});

describe('keyplane conformance', () => {
  it('examines the gateway of its argument, and writes a profile and a bundle without any value', async () => {
    const { place } = await openStage('deployed');
    const files = ['--profile', 'profile.json', '--bundle', 'bundle.json'];
    const { code, stdout } = await place.run(['conformance', place.url, '--level', 'write', ...files], {
      env: { KEYPLANE_URL: '' },
    });
    expect({ code, last: stdout.trim().split('\n').at(-1) }).toMatchObject({
      code: 0,
      last: expect.stringMatching(/^\d+ conform, \d+ deviate as others do, 1 could not be proven\. \d+ requests\.$/),
    });
    expect(JSON.parse(await place.read('profile.json'))).toMatchObject({
      version: 1,
      level: 'write',
      observed: { 'keys.list.order': 'newest first', 'keys.name.limit': '50 bytes' },
    });
    const bundle = await place.read('bundle.json');
    expect(JSON.parse(bundle).exchanges).toContainEqual({
      method: 'POST',
      path: '/api/token/N/key',
      query: [],
      status: 200,
      answer: { success: 'boolean', message: 'string', data: { key: 'string' } },
    });
    for (const value of ['prod-one', 'prod-two', 'platform', place.url]) expect(bundle).not.toContain(value);
  });

  it('writes JUnit, Markdown, HTML and JSON', async () => {
    const { place } = await openStage('deployed');
    const run = async (format: string): Promise<string> =>
      (await place.run(['conformance', '--format', format])).stdout;
    expect(await run('junit')).toContain('<testcase classname="conformance.read" name="keys.list.order"');
    expect(await run('markdown')).toContain('| deviates | Which type do errors of the inference API have? |');
    expect(await run('html')).toContain('<th scope="row">In which order are keys listed?</th>');
    expect(JSON.parse(await run('json')).data.findings[0]).toMatchObject({ id: 'status.quota-per-unit' });
  });

  it('fails for an unknown deviation, and for a key that stays', async () => {
    const { place } = await openStage('contract');
    await place.control('POST', '/faults', {
      kind: 'answer',
      method: 'GET',
      path: '/api/user/self/groups',
      status: 418,
      body: { success: false },
    });
    expect((await place.run(['conformance'])).code).toBe(6);
  });

  it('requires a model for the level inference, and another account is never written to', async () => {
    const { place } = await openStage('contract');
    expect(await place.run(['conformance', '--level', 'inference'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('requires --model'),
    });
    await place.control('POST', '/faults', {
      kind: 'answer',
      method: 'GET',
      path: '/api/user/self',
      body: { success: true, message: '', data: { id: 7, quota: 1 } },
    });
    expect((await place.run(['conformance', '--level', 'write'])).code).toBe(4);
    expect(await place.keys()).toHaveLength(2);
  });
});
