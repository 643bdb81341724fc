import { describe, expect, it } from 'vitest';
import { keyName, type Plan } from '../../src/domain/index.ts';
import { observe, plan } from '../../src/reconcile/index.ts';
import { declare, live, NOW, state } from './account.ts';
import { DAY, OWNED, text, world } from './quarantine-world.ts';

describe('a key that is no longer declared, with a quarantine', () => {
  it('is disabled with its date in the name, waits, and is deleted after whole days', async () => {
    const { apply: run, plan: look, store, keys, pass } = world();
    store.seed(live('old'));
    const first = await look();
    expect(text(first)).toEqual(['disable old quarantined']);
    expect(first.changes[0]).toMatchObject({ quarantine: { until: Date.UTC(2026, 11, 5) / 1000 } });
    const report = await run();
    expect(report.outcomes).toMatchObject([
      { state: 'applied', remark: expect.stringMatching(/^its name is now “old~q20261120-/) },
    ]);
    expect(text(report.after as Plan)).toEqual([]);
    expect(text(await look())).toEqual(['retain old~q20261120-* in-quarantine']);
    expect(keys()).toEqual([expect.stringMatching(/^old~q20261120-[0-9a-z]{7} 2$/)]);
    pass(14 * DAY + DAY / 2 - 1);
    const waiting = await look();
    expect(text(waiting)).toEqual(['retain old~q20261120-* in-quarantine']);
    const quarantine = { since: Date.UTC(2026, 10, 20) / 1000, until: Date.UTC(2026, 11, 5) / 1000 };
    expect(waiting.changes.at(-1)).toMatchObject({ quarantine });
    pass(1);
    const last = await look();
    expect(text(last)).toEqual(['delete old~q20261120-* quarantined']);
    expect(last.changes[0]).toMatchObject({ quarantine });
    expect((await run()).outcomes).toMatchObject([{ state: 'applied', change: { verb: 'delete' } }]);
    expect(keys()).toEqual([]);
  });

  it('is marked as disabled by somebody else when it was', async () => {
    const { apply: run, store, keys } = world();
    store.seed(live('old'), { status: 2 });
    await run();
    expect(keys()).toEqual([expect.stringMatching(/^old~d20261120-/)]);
  });

  it.each([
    ['a name of 30 bytes', 'n'.repeat(30), /^n{30}~q/],
    ['a name of 32 bytes', 'n'.repeat(32), /^n{32}~q/],
    ['a name of 50 bytes', 'n'.repeat(50), /^n{21}~[0-9a-z]{10}~q/],
    ['a name of 50 bytes with wide characters', 'ä'.repeat(25), /^ä{10}~[0-9a-z]{10}~q/],
    ['a generation', 'app~20261101-0900', /^app~20261101-0900~q/],
    ['a generation of a leak', 'app~20261101-0900+0', /^app~20261101-0900\+0~q/],
    [
      'a generation with a long stem',
      `${'n'.repeat(19)}~0123456789~20261101-0900`,
      /^n{7}~[0-9a-z]{10}~20261101-0900~q/,
    ],
    [
      'a generation with a long stem and an overlap',
      `${'n'.repeat(30)}~20261101-0900+9999d`,
      /^n~[0-9a-z]{10}~20261101-0900\+9999d~q/,
    ],
  ])('keeps what fits of %s, and goes through its quarantine', async (_, name, expected) => {
    const { apply: run, plan: look, store, only, pass } = world();
    store.seed(live(name));
    await run();
    expect(only().name).toMatch(expected);
    expect(new TextEncoder().encode(only().name).length).toBeLessThanOrEqual(50);
    pass(20 * DAY);
    expect(text(await look())[0]).toMatch(/^delete .* quarantined$/);
  });

  it.each([
    ['the scope needs the end of a name that is cut off', `${'n'.repeat(40)}-prod`, { scope: ['*-prod', 'stays'] }],
    ['no key may have its name', 'old\u0007', {}],
    ['the shortened name is outside the scope', `${'n'.repeat(40)}-x`, { scope: [`${'n'.repeat(40)}*`, 'stays'] }],
  ])('is disabled, kept and reported when %s', async (_, name, more) => {
    const { apply: run, plan: look, store, keys, pass } = world();
    store.seed(live(name));
    expect((await run([], more)).outcomes).toMatchObject([
      { state: 'applied', change: { verb: 'disable', reason: 'pruned' } },
    ]);
    expect(keys()).toEqual([`${name} 2`]);
    pass(100 * DAY);
    expect((await look([], more)).changes.at(-1)).toMatchObject({ verb: 'retain', reason: 'unmarkable' });
  });

  it.each([['prod-a'], ['*-a'], ['*']])('is within the scope %s all the time', async (glob) => {
    const { apply: run, plan: look, store, pass } = world();
    store.seed(live('prod-a'));
    const scope = ['stays', glob];
    await run([], { scope });
    pass(20 * DAY);
    expect(text(await look([], { scope }))).toEqual(['delete prod-a~q20261120-* quarantined']);
  });

  it('stays once its old name is protected', async () => {
    const { apply: run, plan: look, destroy, store, pass } = world();
    store.seed(live('old'));
    await run();
    pass(20 * DAY);
    for (const protect of [['old'], ['ol*']]) {
      expect(text(await look([], { protect }))).toEqual(['retain old~q20261120-* protected']);
      expect(text(await destroy({ protect }))).toEqual(['retain old~q20261120-* protected']);
    }
  });

  it('stays as long as a declaration names it as its former name', async () => {
    const { apply: run, plan: look, store, pass } = world();
    store.seed(live('old'));
    await run();
    store.seed(live('new'));
    pass(20 * DAY);
    const made = await look([declare('new', { renamedFrom: keyName('old') })]);
    expect(text(made)).toContain('retain old~q20261120-* rename-source');
  });

  it('is deleted by a destruction at once', async () => {
    const { apply: run, destroy, store } = world();
    store.seed(live('old'));
    await run();
    expect(text(await destroy())).toEqual(['delete old~q20261120-* destroyed']);
  });

  it('is deleted at once where the quarantine is given up, and kept where pruning is', async () => {
    const { apply: run, store, plan: look } = world();
    store.seed(live('old'));
    await run();
    const { quarantine: _, ...immediate } = OWNED;
    const desired = state([declare('stays')], immediate);
    const observed = await observe(store, desired, { now: NOW });
    expect(text(plan(desired, observed, NOW))).toEqual(['delete old~q20261120-* pruned']);
    expect(text(await look([], { prune: 'never' }))).toEqual(['retain old~q20261120-* prune-never']);
  });
});

describe('the guard and a quarantine', () => {
  const seeded = (names: readonly string[], more = {}) => {
    const made = world();
    for (const name of names) made.store.seed(live(name), more);
    return made;
  };

  it('counts the keys that are disabled, and again those that are deleted', async () => {
    const { apply: run, refusals, pass } = seeded(['a', 'b', 'c']);
    expect(await refusals([])).toEqual(['guard.mass-change']);
    await run();
    expect(await refusals([])).toEqual([]);
    pass(20 * DAY);
    expect(await refusals([])).toEqual(['guard.mass-change']);
  });

  it('does not count keys that only get their mark', async () => {
    const { refusals } = seeded(['a', 'b', 'c'], { status: 2 });
    expect(await refusals([])).toEqual([]);
  });

  it('lets a key that is declared and protected get its name back', async () => {
    const { apply: run, refusals, keys } = seeded(['a']);
    await run();
    expect(await refusals([declare('a')], { protect: ['a'] })).toEqual([]);
    await run([declare('a')], { protect: ['a'] });
    expect(keys()).toEqual(['a 1']);
  });
});

describe('a key in quarantine that is declared again', () => {
  it('gets its name back and is enabled, because the quarantine had disabled it', async () => {
    const { apply: run, plan: look, store, keys, pass } = world();
    const id = store.seed(live('old', { group: 'vip' }));
    await run();
    pass(3 * DAY);
    const made = await look([declare('old', { group: 'default' })]);
    expect(text(made)).toEqual(['update old', 'enable old redeclared', 'rename old']);
    const writes: string[] = [];
    store.hook = (operation) => ['update', 'setEnabled', 'create'].includes(operation) && writes.push(operation);
    const report = await run([declare('old', { group: 'default' })]);
    expect(report.outcomes.map(({ state: each }) => each)).toEqual(['applied', 'applied', 'applied']);
    expect(writes).toEqual(['update', 'setEnabled', 'update']);
    expect(keys()).toEqual(['old 1']);
    expect(store.records.get(id)).toMatchObject({ group: 'default' });
    expect(text(await look([declare('old')]))).toEqual(['keep old']);
  });

  it('stays disabled when a person had disabled it before', async () => {
    const { apply: run, plan: look, store, keys } = world();
    store.seed(live('old'), { status: 2 });
    await run();
    expect(text(await look([declare('old')]))).toEqual(['hold old unpermitted', 'rename old']);
    await run([declare('old')]);
    expect(keys()).toEqual(['old 2']);
  });

  it('stays disabled when it was used in between, because a person then disabled it', async () => {
    const { apply: run, plan: look, store, edit, pass } = world();
    const id = store.seed(live('old'));
    await run();
    pass(DAY);
    store.spend(id, 1);
    edit({ status: 2 });
    expect(text(await look([declare('old')]))).toEqual(['hold old unpermitted', 'rename old']);
  });

  it('stays disabled when somebody wrote its mark', async () => {
    const { plan: look, store } = world();
    store.seed(live('old~q20261101-abcdefg'), { status: 2 });
    expect(text(await look([declare('old')]))).toEqual(['hold old unpermitted', 'rename old']);
  });

  it('stays disabled when it is declared so', async () => {
    const { apply: run, store, keys } = world();
    store.seed(live('old'));
    await run();
    await run([declare('old', { enabled: false })]);
    expect(keys()).toEqual(['old 2']);
  });

  it.each([['n'.repeat(30)], ['n'.repeat(50)], ['ä'.repeat(25)]])('is found by the declared name %s', async (name) => {
    const { apply: run, store, keys } = world();
    store.seed(live(name));
    await run();
    await run([declare(name)]);
    expect(keys()).toEqual([`${name} 1`]);
  });

  it.each(['app', 'n'.repeat(30), 'n'.repeat(50)])('is found with both of its generations: %s', async (name) => {
    const rotating = declare(name, { rotate: { every: 90 * DAY, overlap: 7 * DAY }, budget: { kind: 'unlimited' } });
    const { apply: run, plan: look, store, keys, pass } = world();
    store.seed(live(name, { unlimited: true }));
    pass(90 * DAY);
    await run([rotating]);
    const before = keys();
    expect(before).toHaveLength(2);
    await run();
    expect(keys().every((key) => /~q.* 2$/.test(key))).toBe(true);
    await run([rotating]);
    expect(keys()).toEqual(before);
    expect(text(await look([rotating])).filter((each) => /create|hold/.test(each))).toEqual([]);
  });

  it('does not enable an old generation that leaked', async () => {
    const rotating = declare('app', { rotate: { every: 90 * DAY, overlap: DAY } });
    const { apply: run, store, keys } = world();
    store.seed(live('app'));
    store.seed(live('app~20261120-0900+0'));
    await run();
    await run([rotating]);
    expect(keys()).toEqual(['app~20261120-0900+0 1']);
  });

  it.each<[string, object]>([
    ['whose successor somebody disabled', { status: 2 }],
    ['that the manifest protects by now', {}],
  ])('does not enable an old generation that leaked and %s', async (title, edit) => {
    const rotating = declare('app', { rotate: { every: 90 * DAY, overlap: DAY } });
    const { apply: run, store, keys, edit: change } = world();
    store.seed(live('app'));
    store.seed(live('app~20261120-0900+0'));
    change(edit);
    await run();
    await run([rotating], title.includes('protects') ? { protect: ['app'] } : {});
    expect(keys().filter((key) => key.startsWith('app 1') || /^app~q.* 1$/.test(key))).toEqual([]);
  });

  it('goes on from its first day where it is declared again, and removed before a run', async () => {
    const { apply: run, plan: look, store, keys, pass } = world();
    store.seed(live('app'));
    await run();
    const before = keys();
    pass(10 * DAY);
    expect(text(await look([declare('app')]))).not.toEqual([]);
    pass(5 * DAY);
    expect(keys()).toEqual(before);
    expect(text(await look())).toEqual(['delete app~q20261120-* quarantined']);
  });

  it.each([
    [true, 'disable app~q20261120-* quarantined'],
    [false, 'delete app~q20261120-* quarantined'],
  ])('shows the use of an unlimited key only where records report it (%s)', async (reports, expected) => {
    const { apply: run, plan: look, store, pass, edit } = world({ reportsUse: reports, reportsTimes: reports });
    const id = store.seed(live('app', { unlimited: true }));
    await run();
    edit({ status: 1 });
    store.spend(id, 10);
    edit({ status: 2 });
    pass(15 * DAY);
    expect(text(await look())).toEqual([expected]);
  });

  it('leaves the end of an old generation whose overlap is over to evidence, as if it had not been in quarantine', async () => {
    const rotating = declare('app', { rotate: { every: 90 * DAY, overlap: DAY } });
    const { apply: run, plan: look, store, keys, pass } = world();
    store.seed(live('app'));
    store.seed(live('app~20261120-0900'));
    await run();
    pass(2 * DAY);
    await run([rotating]);
    expect(keys()).toEqual(['app 1', 'app~20261120-0900 1']);
    expect(text(await look([rotating]))).toContain('disable app rotated');
  });

  it('is found under its former name', async () => {
    const { apply: run, store, keys } = world();
    store.seed(live('old'));
    await run();
    await run([declare('new', { renamedFrom: keyName('old') })]);
    expect(keys()).toEqual(['new 1']);
  });

  it('stays in quarantine when another key has the declared name by now', async () => {
    const { apply: run, plan: look, store } = world();
    store.seed(live('old'));
    await run();
    store.seed(live('old'));
    expect(text(await look([declare('old')]))).toEqual(['keep old', 'retain old~q20261120-* in-quarantine']);
  });

  it('is for a person to choose when there are two with one name, and each has its own date', async () => {
    const { apply: run, plan: look, store, pass } = world();
    const first = store.seed(live('old'));
    await run();
    pass(5 * DAY);
    store.seed(live('old'));
    await run();
    await expect(look([declare('old')])).rejects.toMatchObject({
      message: expect.stringContaining('“old” is the name of keys 2 and 3 (in quarantine: 2, 3)'),
      hint: expect.stringContaining('renamedFrom: { id: … }'),
      remedy: undefined,
      detail: {
        ambiguous: [
          {
            name: 'old',
            keys: [
              { id: 2, name: expect.stringMatching(/^old~q20261120-/), status: 'disabled' },
              { id: 3, name: expect.stringMatching(/^old~q20261125-/), status: 'disabled' },
            ],
          },
        ],
      },
    });
    expect(text(await look([declare('old', { renamedFrom: first })]))).toContain('enable old redeclared');
    pass(11 * DAY);
    expect(text(await look())).toEqual(['delete old~q20261120-* quarantined', 'retain old~q20261125-* in-quarantine']);
  });

  it('is not created a second time when the listing hid it from the plan', async () => {
    const { apply: run, store } = world();
    store.seed(live('old'));
    await run();
    const hidden = [...store.records.values()].at(-1);
    const walks: number[] = [];
    if (hidden) store.records.delete(hidden.id);
    store.hook = (operation) => {
      if (operation === 'walk' && walks.push(1) === 2 && hidden) store.records.set(hidden.id, hidden);
    };
    const report = await run([declare('old', { budget: { kind: 'unlimited' } })]);
    expect(report.outcomes).toMatchObject([
      { state: 'failed', fault: { code: 'plan.stale' }, change: { verb: 'create' } },
    ]);
    expect(store.calls.create ?? 0).toBe(0);
  });
});
