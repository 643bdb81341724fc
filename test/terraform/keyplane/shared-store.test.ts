import { describe, expect, it } from 'vitest';
import { Fault, keyId } from '../../../src/domain/index.ts';
import type { KeyStore } from '../../../src/reconcile/index.ts';
import { sharedStore } from '../../../src/terraform/keyplane/shared-store.ts';

const ids = (...numbers: readonly number[]) => numbers.map((number) => keyId(number));

/** A store that notes what it is asked, and answers a walk when it is told to. */
function noting({ refuses = [] as readonly number[] } = {}) {
  const asked: string[] = [];
  const walks: ((keys: readonly never[]) => void)[] = [];
  const answer = async (what: string, wanted: readonly number[]): Promise<void> => {
    asked.push(`${what} ${[...wanted].sort((a, b) => a - b).join(',')}`);
    if (wanted.some((id) => refuses.includes(id))) throw new Fault('gateway.refused', `no ${what}`);
  };
  const store = {
    walk: () => {
      asked.push('walk');
      return new Promise<readonly never[]>((resolve) => walks.push(resolve));
    },
    delete: (wanted: readonly number[]) => answer('delete', wanted),
    reveal: async (wanted: readonly number[]) => {
      await answer('reveal', wanted);
      return new Map(wanted.map((id) => [id, `secret of ${id}`]));
    },
  } as unknown as KeyStore;
  return { asked, walks, shared: sharedStore(store) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a store that many ask at once', () => {
  it('walks once for all who wait for a walk', async () => {
    const { asked, walks, shared } = noting();
    const walked = [shared.walk(), shared.walk(), shared.walk()];
    await turn();
    walks[0]?.([]);
    expect(await Promise.all(walked)).toEqual([[], [], []]);
    expect(asked).toEqual(['walk']);
  });

  it('walks anew for who asks while it walks: a page may have been passed already', async () => {
    const { asked, walks, shared } = noting();
    const first = shared.walk();
    await turn();
    const later = [shared.walk(), shared.walk()];
    await turn();
    expect(asked).toEqual(['walk']);
    walks[0]?.([]);
    await first;
    await turn();
    expect(asked).toEqual(['walk', 'walk']);
    walks[1]?.([]);
    await Promise.all(later);
  });

  it('walks again after a walk that failed', async () => {
    let fails = true;
    const walk = async () => {
      if (fails) throw new Fault('gateway.unreachable', 'No connection.');
      return [];
    };
    const shared = sharedStore({ walk } as unknown as KeyStore);
    await expect(shared.walk()).rejects.toThrow('No connection.');
    fails = false;
    expect(await shared.walk()).toEqual([]);
  });

  it('remembers a list for all who read, until something is written or it fails', async () => {
    const asked: string[] = [];
    let fails = false;
    const store = {
      walk: async () => {
        asked.push('walk');
        if (fails) throw new Fault('gateway.unreachable', 'No connection.');
        return [];
      },
      create: async () => void asked.push('create'),
      delete: async () => void asked.push('delete'),
    };
    const shared = sharedStore(store as unknown as KeyStore);
    await Promise.all([shared.listed(), shared.listed()]);
    await shared.listed();
    expect(asked).toEqual(['walk']);
    await shared.create({} as never);
    await shared.listed();
    await shared.delete(ids(1));
    fails = true;
    await expect(shared.listed()).rejects.toThrow('No connection.');
    fails = false;
    await shared.listed();
    expect(asked).toEqual(['walk', 'create', 'walk', 'delete', 'walk', 'walk']);
  });

  it('sends what comes together in one request, each id once', async () => {
    const { asked, shared } = noting();
    await Promise.all([shared.delete(ids(1)), shared.delete(ids(2, 3)), shared.delete(ids(3))]);
    await shared.delete(ids(4));
    expect(asked).toEqual(['delete 1,2,3', 'delete 4']);
    const [one, two] = await Promise.all([shared.reveal(ids(1)), shared.reveal(ids(2))]);
    expect([one?.get(keyId(1)), two?.get(keyId(2))]).toEqual(['secret of 1', 'secret of 2']);
    expect(asked.at(-1)).toBe('reveal 1,2');
  });

  it('fails for who asked wrongly, and for nobody else', async () => {
    const { asked, shared } = noting({ refuses: [2] });
    const ended = await Promise.allSettled([shared.delete(ids(1)), shared.delete(ids(2)), shared.delete(ids(3))]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([...asked].sort()).toEqual(['delete 1', 'delete 1,2,3', 'delete 2', 'delete 3']);
    await expect(shared.delete(ids(2))).rejects.toThrow('no delete');
    expect(asked.at(-1)).toBe('delete 2');
    expect(asked).toHaveLength(5);
  });
});
