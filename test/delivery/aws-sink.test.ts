import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliverSecret } from '../../src/reconcile/index.ts';
import { describeSink, FIRST, METADATA, SECOND, type SinkBody } from '../contract/sink-suite.ts';
import { hasProgram } from './programs.ts';
import { openRemoteIn } from './remote.ts';
import { startAws } from './servers/aws-server.ts';

const NAME = 'prod/checkout';
const REGION = 'eu-central-1';

beforeAll(() => {
  // The client of AWS reads the environment itself.
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATESTSONLYTESTSON');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-for-tests-only');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const sinkAt = (url: string, name = NAME, more: { adopt?: boolean } = {}) =>
  openRemoteIn({ awsSecret: { url, region: REGION, name } }, {}, more);

async function start(mayRead: boolean): Promise<SinkBody> {
  const aws = await startAws({ mayRead });
  const current = () =>
    [...(aws.secrets.get(NAME)?.versions.values() ?? [])].find(({ stages }) => stages.has('AWSCURRENT'));
  return {
    open: (more) => sinkAt(aws.url, NAME, more),
    readByOthers: async () => (aws.secrets.get(NAME)?.deletedAt ? undefined : current()?.value),
    async writeByOthers(value) {
      const stored = aws.secrets.get(NAME) ?? { versions: new Map(), tags: new Map() };
      for (const { stages } of stored.versions.values()) stages.clear();
      stored.versions.set('c0ffee00-aaaa-bbbb-cccc-0123456789ab', { value, stages: new Set(['AWSCURRENT']) });
      aws.secrets.set(NAME, stored);
    },
    readPublic: async () =>
      JSON.stringify([...(aws.secrets.get(NAME)?.tags ?? []), ...(aws.secrets.get(NAME)?.versions.keys() ?? [])]),
    writes: async () => aws.writes.length,
    close: aws.close,
  };
}

const TRAITS = { seesOverwrites: true, knowsOwner: true };
describeSink({ title: 'AWS', start: () => start(true), isReadable: true, ...TRAITS });
describeSink({ title: 'AWS without the right to read', start: () => start(false), isReadable: false, ...TRAITS });

/** One server for all tests: a start takes seconds. */
async function startMoto() {
  const moto = spawn('moto_server', ['-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  for await (const line of createInterface({ input: moto.stderr })) {
    const url = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (url) {
      moto.stderr.resume();
      moto.stdout.resume();
      return { url, close: () => [moto.kill('SIGKILL'), once(moto, 'exit')] };
    }
  }
  throw new Error('moto_server did not start');
}

if (hasProgram('moto_server')) {
  let moto: Awaited<ReturnType<typeof startMoto>>;
  let count = 0;
  beforeAll(async () => {
    moto = await startMoto();
  }, 120_000);
  afterAll(() => {
    moto.close();
  });
  describeSink({
    title: 'AWS, as moto_server implements it',
    async start() {
      count += 1;
      const name = `${NAME}-of-test-${count}`;
      const others = new SecretsManagerClient({ region: REGION, endpoint: moto.url });
      const missing = () => undefined;
      const describeIt = () => others.send(new DescribeSecretCommand({ SecretId: name })).catch(missing);
      return {
        open: (more) => sinkAt(moto.url, name, more),
        readByOthers: async () =>
          (await others.send(new GetSecretValueCommand({ SecretId: name })).catch(missing))?.SecretString,
        async writeByOthers(value) {
          const command = (await describeIt())
            ? new PutSecretValueCommand({ SecretId: name, SecretString: value })
            : new CreateSecretCommand({ Name: name, SecretString: value });
          await others.send<never, never>(command as never);
        },
        readPublic: async () => JSON.stringify(await describeIt()),
        writes: async () =>
          (await others.send(new ListSecretVersionIdsCommand({ SecretId: name })).catch(missing))?.Versions?.length ??
          0,
        async close() {
          others.destroy();
        },
      };
    },
    isReadable: true,
    ...TRAITS,
  });
} else {
  it('AWS, as moto_server implements it', (context) => context.skip('moto_server is not installed'));
}

describe('a sink in AWS Secrets Manager', () => {
  let aws: Awaited<ReturnType<typeof startAws>>;
  beforeEach(async () => {
    aws = await startAws();
  });
  afterEach(() => aws.close());

  it('makes the ID of the version from the fingerprint, and states key, owner and labels in tags', async () => {
    await sinkAt(aws.url).write(FIRST, { ...METADATA, labels: { team: 'search {and} more' } });
    const stored = aws.secrets.get(NAME);
    expect([...(stored?.versions.keys() ?? [])]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(Object.fromEntries(stored?.tags ?? [])).toEqual({
      'managed-by': 'keyplane',
      'keyplane:key': 'prod-checkout',
      'keyplane:owner': 'team-search',
      'keyplane:label:team': 'search _and_ more',
    });
  });

  it('brings a secret back that it had removed, and delivers into it', async () => {
    await sinkAt(aws.url).write(FIRST, METADATA);
    await sinkAt(aws.url).remove();
    expect(await sinkAt(aws.url).probe()).toBe('absent');
    await deliverSecret(sinkAt(aws.url), SECOND, { metadata: METADATA });
    expect(aws.writes).toEqual(['CreateSecret', 'DeleteSecret', 'RestoreSecret', 'TagResource', 'PutSecretValue']);
    expect(await sinkAt(aws.url).compare(SECOND)).toBe('current');
  });

  it('does not bring back what somebody else deleted', async () => {
    aws.secrets.set(NAME, { versions: new Map(), tags: new Map(), deletedAt: 1 });
    expect(await sinkAt(aws.url).probe()).toBe('foreign');
    await expect(sinkAt(aws.url, NAME, { adopt: true }).write(FIRST, METADATA)).rejects.toMatchObject({
      code: 'sink.refused',
    });
  });

  it.each([
    ['AccessDeniedException', 400, 'sink.unauthorized'],
    ['ThrottlingException', 400, 'sink.rate-limited'],
    ['LimitExceededException', 400, 'sink.refused'],
    ['ResourceExistsException', 400, 'sink.stale'],
    ['InvalidParameterException', 400, 'sink.refused'],
    ['InternalServiceError', 500, 'sink.unreachable'],
  ])(
    'reports %s without the secret that it repeats',
    async (type, status, code) => {
      aws.interfere = ({ headers, body }) =>
        String(headers['x-amz-target']).endsWith('CreateSecret')
          ? { status, json: { __type: type, message: `${JSON.stringify(body)} is wrong` } }
          : undefined;
      const fault = await sinkAt(aws.url)
        .write(FIRST, METADATA)
        .catch((thrown) => thrown);
      expect(fault).toMatchObject({ code, message: expect.stringContaining(type) });
      expect(`${fault.message}${fault.hint}${JSON.stringify(fault.detail)}`).not.toContain(FIRST.reveal().slice(3, 15));
    },
    60_000,
  );

  it('shows no name of an error that is made of the secret', async () => {
    aws.interfere = ({ headers }) =>
      String(headers['x-amz-target']).endsWith('CreateSecret')
        ? { status: 400, json: { __type: FIRST.reveal(), message: 'is wrong' } }
        : undefined;
    const fault = await sinkAt(aws.url)
      .write(FIRST, METADATA)
      .catch((thrown) => thrown);
    expect(fault).toMatchObject({ code: 'sink.refused', message: expect.stringContaining('is wrong') });
    expect(fault.message).not.toContain(FIRST.reveal().slice(3, 15));
  });

  it('shows no token of temporary credentials that an answer repeats from a header', async () => {
    const token = 'IQoJb3JpZ2luX2VjEForTestsOnly0123456789';
    vi.stubEnv('AWS_SESSION_TOKEN', token);
    aws.interfere = ({ headers }) => ({ status: 400, json: { __type: 'Echo', message: JSON.stringify(headers) } });
    const sink = sinkAt(aws.url);
    for (const work of [() => sink.probe(), () => sink.read(), () => sink.write(FIRST, METADATA)]) {
      const fault = await work().catch((thrown) => thrown);
      expect(fault).toMatchObject({ code: 'sink.refused', message: expect.stringContaining('Echo') });
      expect(fault.message).not.toContain(token.slice(0, 20));
    }
    vi.stubEnv('AWS_SESSION_TOKEN', undefined);
  });

  it.each([
    ['was lost', 'cut-after'],
    ['is a page', { status: 200, html: '<html>Sign in</html>', isHandled: true }],
  ] as const)('finds out what became of a write whose answer %s', async (_, answer) => {
    let isFirst = true;
    aws.interfere = ({ headers }) => {
      const isCut = isFirst && String(headers['x-amz-target']).endsWith('CreateSecret');
      isFirst &&= !isCut;
      return isCut ? answer : undefined;
    };
    const { written } = await deliverSecret(sinkAt(aws.url), FIRST, { metadata: METADATA }).catch(() => ({
      written: false,
    }));
    await deliverSecret(sinkAt(aws.url), FIRST, { metadata: METADATA });
    expect([written, aws.secrets.get(NAME)?.versions.size]).toEqual([true, 1]);
  });

  it('gives up requests that are never answered', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    aws.interfere = () => 'silence';
    let ended: unknown;
    const comparing = sinkAt(aws.url)
      .compare(FIRST)
      .catch((thrown) => {
        ended = thrown;
      });
    for (let turn = 0; turn < 1000 && ended === undefined; turn += 1) {
      await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(1000);
    }
    vi.useRealTimers();
    expect(ended).toMatchObject({ code: 'sink.unreachable' });
    await comparing;
  });
});
