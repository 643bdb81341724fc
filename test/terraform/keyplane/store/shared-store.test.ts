import { describe, expect, it } from 'vitest';
import { Fault, type KeyId, keyId } from '../../../../src/domain/index.ts';
import type { KeyStore } from '../../../../src/reconcile/index.ts';
import { sharedStore } from '../../../../src/terraform/keyplane/store/shared-store.ts';

const ids = (...numbers: readonly number[]) => numbers.map((number) => keyId(number));

/** A store that records requests, and finishes a walk on demand. */
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
    readMany: async (wanted: readonly number[]) => new Map(wanted.map((id) => [id, { id }])),
    reveal: async (wanted: readonly number[]) => {
      await answer('reveal', wanted);
      return new Map(wanted.map((id) => [id, `secret of ${id}`]));
    },
  } as unknown as KeyStore;
  return { asked, walks, shared: sharedStore(store) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a store with concurrent callers', () => {
  it('walks once for all who wait for a walk', async () => {
    const { asked, walks, shared } = noting();
    const walked = [shared.walk(), shared.walk(), shared.walk()];
    await turn();
    walks[0]?.([]);
    expect(await Promise.all(walked)).toEqual([[], [], []]);
    expect(asked).toEqual(['walk']);
  });

  it('walks again for a caller during a walk: a page may have been passed already', async () => {
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
    await Promise.all([shared.list(), shared.list()]);
    await shared.list();
    expect(asked).toEqual(['walk']);
    await shared.create({} as never);
    await shared.list();
    await shared.delete(ids(1));
    fails = true;
    await expect(shared.list()).rejects.toThrow('No connection.');
    fails = false;
    await shared.list();
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

  it('reveals together what is requested while a reveal is under way, and no key twice', async () => {
    const asked: string[] = [];
    let keep = (): void => {};
    const first = new Promise<void>((resolve) => {
      keep = resolve;
    });
    const reveal = async (wanted: readonly KeyId[]) => {
      asked.push(wanted.join(','));
      if (asked.length === 1) await first;
      return new Map(wanted.map((id) => [id, `secret of ${id}`]));
    };
    const shared = sharedStore({ reveal } as unknown as KeyStore);
    const one = shared.reveal(ids(1));
    await turn();
    await turn();
    const two = shared.reveal(ids(2));
    await turn();
    const three = shared.reveal(ids(3, 1));
    await turn();
    expect(asked).toEqual(['1']);
    keep();
    await Promise.all([one, two, three]);
    expect((await shared.reveal(ids(1, 3))).size).toBe(2);
    expect([asked, shared.revealRequests()]).toEqual([['1', '2,3,1'], 2]);
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

  it('deletes only keys that their own caller still wants deleted, together or alone', async () => {
    const asked: unknown[] = [];
    let refuses = false;
    const keys = (wanted: readonly number[]) => wanted.map((id) => ({ id, name: id === 2 ? 'theirs' : 'own' }));
    const store = {
      delete: async (wanted: readonly number[], recheck: (key: unknown) => boolean) => {
        asked.push(wanted, keys(wanted).map(recheck));
        if (refuses && wanted.length > 1) throw new Fault('gateway.rate-limited', 'too many');
        return true;
      },
      readMany: async (wanted: readonly number[]) => new Map(keys(wanted).map((key) => [key.id, key])),
    };
    const shared = sharedStore(store as unknown as KeyStore);
    const isOwn = ({ name }: { name: string }): boolean => name === 'own';
    const both = () => Promise.all([shared.delete(ids(1), isOwn), shared.delete(ids(2), isOwn), shared.delete(ids(3))]);
    expect(await both()).toEqual([true, true, true]);
    expect(asked.splice(0)).toEqual([
      [1, 2, 3],
      [true, false, true],
    ]);
    refuses = true;
    expect(await both()).toEqual([true, false, true]);
    expect(asked.slice(2)).toEqual([[1], [true], [3], [true]]);
  });
});

/** A promise that resolves on demand. */
function later<A>() {
  let keep: (value: A) => void = () => {};
  const promise = new Promise<A>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}

describe('a list of keys that is walked over while keys are made', () => {
  it('waits for creates on their way, and holds those that come after', async () => {
    const order: string[] = [];
    const [first, walk] = [later<void>(), later<readonly never[]>()];
    const store = {
      create: ({ name }: { name: string }) => {
        order.push(`create ${name}`);
        return name === 'a' ? first.promise : Promise.resolve();
      },
      walk: () => {
        order.push('walk');
        return walk.promise;
      },
    };
    const shared = sharedStore(store as unknown as KeyStore);
    const making = shared.create({ name: 'a' } as never);
    const walking = shared.walk();
    await turn();
    const held = shared.create({ name: 'b' } as never);
    await turn();
    expect(order).toEqual(['create a']);
    first.keep();
    await turn();
    expect(order).toEqual(['create a', 'walk']);
    walk.keep([]);
    await Promise.all([making, walking, held]);
    expect(order).toEqual(['create a', 'walk', 'create b']);
  });

  it('reads alone what was written since the walk, and nothing else', async () => {
    const asked: string[] = [];
    const keys = ids(1, 2).map((id) => ({ id, name: `k${id}`, record: {} }));
    const store = {
      walk: async () => {
        asked.push('walk');
        return keys;
      },
      tryRead: async (id: number) => {
        asked.push(`read ${id}`);
        return { id, name: 'new' };
      },
      setEnabled: async () => {},
    };
    const shared = sharedStore(store as unknown as KeyStore);
    const [one, two] = ids(1, 2) as [KeyId, KeyId];
    expect((await shared.tryFind(one))?.name).toBe('k1');
    await shared.setEnabled(one, false);
    expect([(await shared.tryFind(one))?.name, (await shared.tryFind(two))?.name]).toEqual(['new', 'k2']);
    expect(asked).toEqual(['walk', 'read 1']);
  });

  it('reads a key by its id before it counts as gone: a list may have missed it', async () => {
    const asked: string[] = [];
    const store = {
      walk: async () => ids(1).map((id) => ({ id, name: `k${id}` })),
      tryRead: async (id: number) => {
        asked.push(`read ${id}`);
        return id === 2 ? { id, name: 'missed' } : undefined;
      },
    };
    const shared = sharedStore(store as unknown as KeyStore);
    expect((await shared.tryFind(keyId(2)))?.name).toBe('missed');
    expect(await shared.tryFind(keyId(9))).toBeUndefined();
    expect(asked).toEqual(['read 2', 'read 9']);
  });

  it('walks again after a walk that failed while the newest keys were looked at', async () => {
    let fail: (thrown: Error) => void = () => {};
    let walks = 0;
    const store = {
      walk: () => {
        walks += 1;
        return walks > 1 ? Promise.resolve([]) : new Promise<never>((_, reject) => (fail = reject));
      },
      newest: async () => ({ keys: [], after: 0 }),
    };
    const shared = sharedStore(store as unknown as KeyStore);
    const first = shared.recent();
    await shared.newest();
    fail(new Error('No connection.'));
    await expect(first).rejects.toThrow('No connection.');
    await turn();
    expect(await shared.recent()).toEqual([]);
  });

  it('reads each page of the usage log once for all, and again after the next walk', async () => {
    let pages = 0;
    const store = {
      walk: async () => [],
      async *usage() {
        for (let page = 0; page < 3; page += 1) {
          pages += 1;
          yield [{ identity: `${page}` }];
        }
      },
    };
    const shared = sharedStore(store as unknown as KeyStore);
    const read = async () => {
      const seen: string[] = [];
      for await (const page of shared.usage()) seen.push(...page.map(({ identity }) => identity));
      return seen.join('');
    };
    expect(await Promise.all([read(), read()])).toEqual(['012', '012']);
    expect(pages).toBe(3);
    await shared.walk();
    expect(await read()).toBe('012');
    expect(pages).toBe(6);
  });
});
