import { beforeEach, describe, expect, it } from 'vitest';
import { CommitGroup } from '../../../src/reference/ledger/commit-group.ts';
import { type Ledger, openLedger } from '../../../src/reference/ledger/ledger.ts';
import type { Statements } from '../../../src/reference/ledger/statements.ts';
import { entry } from './entry.ts';

describe('a group of staged changes', () => {
  let executed: string[];
  let problem: Error | undefined;
  let kept: string[];
  let group: CommitGroup;

  const stage = (name: string): void =>
    group.stage(() => {
      kept.push(name);
      group.changed(() => kept.pop());
    });

  beforeEach(() => {
    [executed, kept, problem] = [[], [], undefined];
    let isOpen = false;
    const statements: Statements = {
      rows: () => [],
      row: () => undefined,
      run(sql) {
        executed.push(sql);
        return { changes: 1, id: 1 };
      },
      exec(sql) {
        executed.push(sql);
        if (sql === 'COMMIT' && problem) throw problem;
        isOpen = sql === 'BEGIN IMMEDIATE';
      },
    };
    group = new CommitGroup(statements, () => isOpen);
    group.add({
      write({ run }) {
        for (const name of kept.splice(0)) run(name);
      },
      forget() {
        kept.length = 0;
      },
    });
  });

  it('is committed once for all that was staged meanwhile', async () => {
    for (const name of ['a', 'b', 'c']) stage(name);
    expect(executed).toEqual([]);
    await group.committed();
    expect(executed).toEqual(['BEGIN IMMEDIATE', 'a', 'b', 'c', 'COMMIT']);
    expect(group.committed()).toBeUndefined();
  });

  it('is committed before a transaction that may fail, and before a statement', () => {
    stage('a');
    const failing = (): never => group.transact(() => expect.fail('as asked'));
    expect(failing).toThrow('as asked');
    stage('b');
    group.before(() => executed.push('statement'));
    expect(executed).toEqual([
      ...['BEGIN IMMEDIATE', 'a', 'COMMIT'],
      ...['BEGIN IMMEDIATE', 'ROLLBACK'],
      ...['BEGIN IMMEDIATE', 'b', 'COMMIT', 'statement'],
    ]);
  });

  it('is refused to all who wait when it cannot be committed, and to nobody who comes later', async () => {
    problem = new Error('the disk is full');
    stage('a');
    const first = group.committed();
    stage('b');
    const second = group.committed();
    group.before(() => undefined);
    problem = undefined;
    stage('c');
    await expect(first).rejects.toThrow('the disk is full');
    await expect(second).rejects.toThrow('the disk is full');
    await expect(group.committed()).resolves.toBeUndefined();
    expect(executed).toEqual([
      ...['BEGIN IMMEDIATE', 'a', 'b', 'COMMIT', 'ROLLBACK'],
      ...['BEGIN IMMEDIATE', 'c', 'COMMIT'],
    ]);
  });

  it('runs no statement and no transaction while something is staged', () => {
    expect(() => group.stage(() => group.before(() => undefined))).toThrow('cannot run a statement');
    expect(() => group.stage(() => group.transact(() => undefined))).toThrow('cannot contain another transaction');
    expect(() => group.transact(() => group.stage(() => undefined))).toThrow('cannot be part of another transaction');
  });
});

describe('what is staged in a ledger', () => {
  const ACCOUNT = {
    ...{ user_id: 42, username: 'anna', access_token: 'token', group: 'default', quota: 100, used_quota: 0 },
    ...{ banned: false, request_count: 0, groups: undefined, models: undefined },
  };
  const HOLD = { request_id: 'r1', user_id: 42, key_id: 1, quota: 7 };
  let ledger: Ledger;

  beforeEach(() => {
    ledger = openLedger(undefined);
    ledger.accounts.insert(ACCOUNT);
  });

  it('is seen by the next statement', () => {
    ledger.stage(() => {
      ledger.accounts.charge(42, 7, 1);
      ledger.holds.open(HOLD);
      ledger.log.append(entry({ request_id: 'r1' }));
    });
    expect(ledger.accounts.all()).toEqual([{ ...ACCOUNT, quota: 93, used_quota: 7, request_count: 1 }]);
    expect(ledger.holds.all()).toEqual([HOLD]);
    expect(ledger.log.all()).toMatchObject([{ request_id: 'r1' }]);
    ledger.close();
  });

  it('is undone as a whole when a part of it fails, and leaves what others staged', () => {
    ledger.stage(() => ledger.accounts.charge(42, 1, 1));
    const failing = (): void =>
      ledger.stage(() => {
        ledger.accounts.charge(42, 7, 1);
        ledger.holds.open(HOLD);
        ledger.log.append(entry({ request_id: 'r1' }));
        ledger.log.append(entry({ request_id: 'r2', content: 'a NUL: \0' }));
      });
    expect(failing).toThrow('NUL');
    expect(ledger.accounts.tryFind(42)).toMatchObject({ quota: 99, request_count: 1 });
    expect(ledger.holds.close('r1')).toBe(false);
    expect(ledger.log.all()).toEqual([]);
    expect(ledger.accounts.all()).toMatchObject([{ quota: 99, request_count: 1 }]);
    ledger.close();
  });

  it.each([Number.NaN, 1.5, 1e300, -(2 ** 63), Number.POSITIVE_INFINITY])(
    'fails alone with %s, which no column takes',
    (quota) => {
      expect(() => ledger.stage(() => ledger.log.append(entry({ prompt_tokens: quota })))).toThrow(RangeError);
      expect(() => ledger.stage(() => ledger.accounts.charge(42, quota, 1))).toThrow(RangeError);
      expect(ledger.committed()).toBeUndefined();
      ledger.close();
    },
  );

  it('ends each hold once, whether the hold was written or not', () => {
    ledger.stage(() => ledger.holds.open(HOLD));
    expect(ledger.holds.all()).toEqual([HOLD]);
    expect(ledger.stage(() => ledger.holds.close('r1'))).toBe(true);
    expect(ledger.stage(() => ledger.holds.close('r1'))).toBe(false);
    ledger.stage(() => ledger.holds.open({ ...HOLD, request_id: 'r2' }));
    expect(ledger.stage(() => ledger.holds.close('r2'))).toBe(true);
    expect(ledger.holds.all()).toEqual([]);
    ledger.close();
  });

  it('does not outlive a transaction that fails', () => {
    const failing = (): never =>
      ledger.transact(() => {
        ledger.accounts.charge(42, 7, 1);
        ledger.accounts.setToken(42, 'other');
        expect(ledger.accounts.tryFind(42)).toMatchObject({ quota: 93, access_token: 'other' });
        throw new Error('as asked');
      });
    expect(failing).toThrow('as asked');
    expect(ledger.accounts.tryFind(42)).toEqual(ACCOUNT);
    ledger.close();
  });
});
