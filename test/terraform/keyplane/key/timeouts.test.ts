import { describe, expect, it } from 'vitest';
import { keyId } from '../../../../src/domain/index.ts';
import type { KeyStore } from '../../../../src/reconcile/index.ts';
import { type Client, openRunMemory } from '../../../../src/terraform/keyplane/client.ts';
import { KEY_RESOURCE } from '../../../../src/terraform/keyplane/key/resource.ts';
import { sharedStore } from '../../../../src/terraform/keyplane/store/shared-store.ts';
import { validateConfig } from '../../../../src/terraform/provider/validate.ts';
import { MemoryStore } from '../../../contract/memory-store.ts';
import { live, NOW } from '../../../reconcile/account.ts';
import { configOf } from '../core.ts';

const timeouts = { create: null, read: '90s', update: '1h30m', delete: null };

/** An account with one key, whose gateway holds every read of it back until the time of an operation is over. */
function openHeld() {
  const store = new MemoryStore({ reportsUse: true, now: () => NOW });
  store.seed(live('app'));
  const asked: number[] = [];
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const held = { ...sharedStore(store as KeyStore), tryFind: () => new Promise<never>(() => {}) };
  const client = {
    store: held,
    claimedNames: new Set(),
    run: openRunMemory(),
    now: () => NOW,
    limits: {},
    sleep: async (ms: number) => {
      asked.push(ms);
      await over;
    },
  } as unknown as Client;
  return { store, asked, context: { client, signal: new AbortController().signal, warn: () => {} }, end };
}

describe('the timeouts of a key', () => {
  it.each([
    ['read', 90_000],
    ['update', 5_400_000],
  ] as const)('end a %s that a limit holds back, and change nothing', async (operation, ms) => {
    const { store, asked, context, end } = openHeld();
    const config = configOf({ name: 'other', timeouts });
    const prior = { state: { ...configOf({ name: 'app', timeouts }), id: keyId(1) } };
    const ended =
      operation === 'read'
        ? KEY_RESOURCE.read(prior, context)
        : KEY_RESOURCE.update({ prior, config, planned: config }, context);
    end();
    await expect(ended).rejects.toMatchObject({
      message: `The ${operation} took longer than its timeout of ${timeouts[operation]}.`,
      hint: expect.stringContaining(`Raise \`timeouts.${operation}\``),
    });
    expect(asked).toEqual([ms]);
    expect((await store.walk()).map(({ name }) => name)).toEqual(['app']);
  });

  it.each(['10', '-5s', '0s', '25h', '5 m', ''])('reject %j at the attribute', (create) => {
    const config = configOf({ name: 'app', timeouts: { ...timeouts, create } });
    expect(validateConfig(KEY_RESOURCE.schema, config)).toMatchObject([
      { severity: 'error', summary: '`timeouts.create`: Invalid timeout', path: ['timeouts', 'create'] },
    ]);
  });
});
