import { describe, expect, it } from 'vitest';
import { openConnections, openSink } from '../../src/delivery/index.ts';
import type { SinkTarget } from '../../src/domain/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import { sinksBy } from '../contract/memory-sink.ts';
import { quickClock, writesOf } from '../delivery/remote.ts';
import { startGithub } from '../delivery/servers/github-server.ts';
import { startGitlab } from '../delivery/servers/gitlab-server.ts';
import { startVault } from '../delivery/servers/vault-server.ts';
import { declareNew, emptyAccount, NOW, state } from '../reconcile/account.ts';

const QUESTIONS = ['/v1/sys/capabilities-self'];

/** Three services, and the sinks of one key in them. */
async function openServices() {
  const [vault, gitlab, github] = await Promise.all([startVault(), startGitlab(), startGithub()]);
  const servers = [vault, gitlab, github];
  const tokens = new Map([
    ['VAULT_TOKEN', vault.token],
    ['GITLAB_TOKEN', gitlab.token],
    ['GH_ENTERPRISE_TOKEN', github.token],
  ]);
  const targets: readonly SinkTarget[] = [
    { vault: { url: vault.url, path: 'apps/shop', as: 'KEY' } },
    { gitlabVariable: { url: gitlab.url, project: 'acme/shop', as: 'KEY' } },
    { githubSecret: { url: github.url, repository: 'acme/shop', as: 'KEY' } },
  ];
  return {
    servers,
    /** The sinks as another run opens them. */
    sinks: () => {
      const connections = openConnections({ clock: quickClock(), random: () => 0 });
      return targets.map((target) =>
        openSink(
          { target, adopt: false, propagateSeconds: 0, onDestroy: 'keep', folder: '/nowhere' },
          {
            exec: 'never',
            env: (name) => tokens.get(name),
            network: { allowed: ['*'], others: 'refused', connections },
          },
        ),
      );
    },
    held: () => [
      vault.live('apps/shop')?.KEY,
      gitlab.variables.map(({ value }) => value).join(),
      github.secrets.get('/repos/acme/shop/actions/secrets/KEY')?.value,
    ],
    writes: () => servers.reduce((sum, server) => sum + writesOf(server, QUESTIONS), 0),
    close: () => Promise.all(servers.map((server) => server.close())),
  };
}

/** Ends the connection of one request, before or after it took effect, and those of all later ones: the run is dead. */
function crashAt(
  servers: Awaited<ReturnType<typeof openServices>>['servers'],
  at: number,
  cut: 'cut-before' | 'cut-after',
) {
  let requests = 0;
  for (const server of servers) {
    server.interfere = () => {
      requests += 1;
      if (requests <= at) return undefined;
      return requests === at + 1 ? cut : 'cut-before';
    };
  }
  return { reached: () => requests };
}

const MOST_REQUESTS = 100;

describe('a run that ends at any request to three services', () => {
  it.each(['cut-before', 'cut-after'] as const)(
    'is completed by the next one: one key, its secret in each of them, and no write after that (%s)',
    async (cut) => {
      let requests = 0;
      for (let at = 0; at < MOST_REQUESTS; at += 1) {
        const services = await openServices();
        const store = emptyAccount();
        const run = () =>
          createEngine({ store, now: () => NOW, concurrency: 1, sinks: sinksBy({ a: services.sinks() }) }).apply(
            state([declareNew('a')]),
            { confirm: async () => {} },
          );
        const crash = crashAt(services.servers, at, cut);
        await run().catch(() => undefined);
        requests = crash.reached();
        for (const server of services.servers) server.interfere = () => undefined;
        await run();
        const [key, ...others] = await store.walk();
        const secret = key && (await store.reveal([key.id])).get(key.id)?.reveal();
        expect([others, services.held()], `a crash at request ${at}`).toEqual([[], [secret, secret, secret]]);
        const writes = services.writes();
        const last = await run();
        expect([services.writes(), last.deliveries ?? []], `a crash at request ${at}`).toEqual([writes, []]);
        await services.close();
        if (requests <= at) break;
      }
      // The last one was not stopped at all.
      expect(requests).toBeGreaterThan(25);
      expect(requests).toBeLessThan(MOST_REQUESTS);
    },
  );

  it('does not stop the delivery to the others when one of them is down', async () => {
    const services = await openServices();
    const [, gitlab] = services.servers;
    const store = emptyAccount();
    const sinks = services.sinks();
    const engine = () => createEngine({ store, now: () => NOW, concurrency: 8, sinks: sinksBy({ a: sinks }) });
    const desired = state([declareNew('a')]);
    // It was there when it was probed.
    if (gitlab)
      gitlab.interfere = ({ method }) => (method === 'POST' ? { status: 502, html: '<html></html>' } : undefined);
    const report = await engine().apply(desired, { confirm: async () => {} });
    expect(report.deliveries?.map(({ state: outcome }) => outcome)).toEqual(
      expect.arrayContaining(['delivered', 'delivered', 'indeterminate']),
    );
    const [vault, variable, secret] = services.held();
    expect([vault === secret, variable]).toEqual([true, '']);
    await services.close();
  });
});
