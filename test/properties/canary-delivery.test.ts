import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCESS_TOKEN, openPlace, type Place } from '../acceptance/place.ts';
import { startAws } from '../delivery/servers/aws-server.ts';
import { startGithub } from '../delivery/servers/github-server.ts';
import { startGitlab } from '../delivery/servers/gitlab-server.ts';
import { startVault } from '../delivery/servers/vault-server.ts';

const OLD = 'Qz7mT2kVbN4xLr9sWcY1hJd6PfGa3eUo8iRtKqSw5vBnXyZl';
const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
const FRAGMENT = 12;
const AWS_KEY = 'aws-secret-for-tests-only';
/** The files that hold the secret on purpose. */
const SINKS = ['.env', 'keys.json', 'keys.yaml', 'key.txt', 'llm.yaml', 'stored.txt'];

/** Lists what the system shows of the program that gets the secret, and of Keyplane. */
const SPY = [
  'sh',
  '-c',
  'umask 077; cat > stored.txt; for p in $$ $PPID; do tr "\\\\0" "\\\\n" < /proc/$p/cmdline >> seen-$([ $p = $$ ] && echo program || echo keyplane).txt; done; tr "\\\\0" "\\\\n" < /proc/$$/environ >> seen-program.txt; tr "\\\\0" "\\\\n" < /proc/$PPID/environ >> seen-keyplane.txt',
];

/** Every form in which a part of a secret could be in a text. */
const partsOf = (secret: string): readonly string[] => {
  const windows = Array.from({ length: secret.length - FRAGMENT + 1 }, (_, at) => secret.slice(at, at + FRAGMENT));
  const encoded = [secret, `sk-${secret}`].flatMap((text) =>
    [0, 1, 2].map((shift) => Buffer.from(text.slice(shift)).toString('base64').slice(0, 24)),
  );
  return [...windows, ...encoded, Buffer.from(secret).toString('hex').slice(0, 24)];
};

async function openServices() {
  const [vault, gitlab, github, aws] = await Promise.all([startVault(), startGitlab(), startGithub(), startAws()]);
  return {
    sinks: `
      - { vault: { url: "${vault.url}", path: apps/shop, as: KEY }, propagate: 1s }
      - { gitlabVariable: { url: "${gitlab.url}", project: acme/shop, as: KEY, masked: true }, propagate: 1s }
      - { githubSecret: { url: "${github.url}", repository: acme/shop, as: KEY }, propagate: 1s }
      - { awsSecret: { url: "${aws.url}", region: eu-central-1, name: prod/shop }, propagate: 1s }`,
    env: {
      KEYPLANE_ALLOWED_SINKS: '*',
      VAULT_TOKEN: vault.token,
      GITLAB_TOKEN: gitlab.token,
      GH_ENTERPRISE_TOKEN: github.token,
      AWS_ACCESS_KEY_ID: 'AKIATESTSONLYTESTSON',
      AWS_SECRET_ACCESS_KEY: AWS_KEY,
    },
    tokens: [vault.token, gitlab.token, github.token, AWS_KEY],
    held: () => [
      vault.live('apps/shop')?.KEY,
      gitlab.variables.map(({ value }) => value).join(),
      github.secrets.get('/repos/acme/shop/actions/secrets/KEY')?.value,
      [...(aws.secrets.get('prod/shop')?.versions.values() ?? [])].find(({ stages }) => stages.has('AWSCURRENT'))
        ?.value,
    ],
    /** The facts that services show to those who may not read a secret. */
    metadata: () =>
      JSON.stringify([
        [...vault.entries].map(([path, { custom }]) => [path, custom]),
        gitlab.variables.map(({ value: _, ...rest }) => rest),
        [...github.variables],
        [...github.secrets.keys()],
        [...aws.secrets].map(([name, { tags, versions }]) => [name, [...tags], [...versions.keys()]]),
        [vault, gitlab, github].map(({ requests }) => requests.map(({ method, path }) => [method, path])),
      ]),
    close: () => Promise.all([vault, gitlab, github, aws].map((server) => server.close())),
  };
}

describe('a delivery to sinks of every kind, and a rotation', () => {
  let place: Place;
  let services: Awaited<ReturnType<typeof openServices>>;
  beforeEach(async () => {
    services = await openServices();
    place = await openPlace([{ name: 'app', key: OLD, remain_quota: 500_000, unlimited_quota: false }], 'deployed');
    await place.declare(`  app:
    budget: { usd: 1, initial: true }
    owner: search
    labels: { team: search }
    deliver:
      - { file: .env, format: dotenv, as: KEY, propagate: 1s }
      - { file: keys.json, format: json, as: KEY, propagate: 1s }
      - { file: keys.yaml, format: yaml, as: KEY, propagate: 1s }
      - { file: key.txt, format: raw, propagate: 1s }
      - { file: key.age, encrypt: [${RECIPIENT}], propagate: 1s }
      - { kubernetesSecret: { name: llm, file: llm.yaml }, propagate: 1s }
      - { exec: ${JSON.stringify(SPY)} }${services.sinks}`);
  });
  afterEach(async () => {
    await place.close();
    await services.close();
  });

  const filesOf = async (): Promise<ReadonlyMap<string, string>> => {
    const entries = await readdir(place.folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const named = paths.map(async (path) => [relative(place.folder, path), await readFile(path, 'latin1')] as const);
    return new Map((await Promise.all(named)).filter(([name]) => name !== 'seed.yaml'));
  };

  it('show no secret in arguments, environments, logs, plans, reports, metadata and files but the sinks', async () => {
    const outputs = new Map<string, string>();
    for (const line of [
      'plan --verbose --out plan.json',
      'plan --report plan.html',
      'apply --yes --verbose --allow-exec --no-check --format json --out report.json',
      'keys rotate app --leaked --yes --verbose --allow-exec --reason leaked --format json --out rotated.json',
      'drift --verbose --format json --out drift.json',
      'apply --yes --verbose --allow-exec --no-check --out second.txt',
    ]) {
      const { code, stdout, stderr } = await place.start(line.split(' '), { env: services.env }).ended;
      expect([line, code, code === 0 || stderr]).toEqual([line, 0, true]);
      outputs.set(line, stdout + stderr);
    }
    const delivered = (await place.read('key.txt')).trim();
    expect(delivered).toMatch(/^sk-\w{40,}$/);
    expect(delivered).not.toContain(OLD);
    expect(services.held()).toEqual(services.held().map(() => delivered));
    const files = await filesOf();
    for (const name of SINKS) {
      expect([name, files.has(name), ((await stat(join(place.folder, name))).mode & 0o077).toString(8)]).toEqual([
        name,
        true,
        '0',
      ]);
    }
    const parts = [OLD, delivered.slice('sk-'.length)].flatMap(partsOf);
    const texts = [
      ...outputs,
      ...[...files].filter(([name]) => !SINKS.includes(name)),
      ['metadata', services.metadata()] as const,
    ];
    expect(texts.flatMap(([where, text]) => (parts.some((part) => text.includes(part)) ? [where] : []))).toEqual([]);
    // The program knows nothing else either, and Keyplane shows its credentials nowhere but in the environment that it was given.
    const seen = files.get('seen-program.txt') ?? '';
    expect(seen).toContain('PATH=');
    for (const token of [ACCESS_TOKEN, ...services.tokens]) {
      expect(seen).not.toContain(token);
      const shown = texts.filter(([where, text]) => where !== 'seen-keyplane.txt' && text.includes(token));
      expect(shown.map(([where]) => where)).toEqual([]);
    }
    expect([...files.keys()].filter((name) => name.endsWith('.keyplane-new'))).toEqual([]);
  });
});
