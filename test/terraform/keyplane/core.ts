import type { SharedClaim } from '../../../src/engine/index.ts';
import { isSameValue } from '../../../src/terraform/codec/same-value.ts';
import type { TerraformObject } from '../../../src/terraform/codec/value.ts';
import { type Client, openRunMemory } from '../../../src/terraform/keyplane/client.ts';
import { openOwnCreates } from '../../../src/terraform/keyplane/key/creates/own-creates.ts';
import { KEY_RESOURCE } from '../../../src/terraform/keyplane/key/resource.ts';
import { sharedStore } from '../../../src/terraform/keyplane/store/shared-store.ts';
import type { OperationContext, ResourceInstance } from '../../../src/terraform/provider/definition.ts';
import { plannedBySchema } from '../../../src/terraform/provider/planned.ts';
import { typeOf } from '../../../src/terraform/provider/schema.ts';
import { endRuns, journalMemory, openMemoryJournal } from '../../contract/memory-journal.ts';
import { type MemoryOptions, MemoryStore } from '../../contract/memory-store.ts';
import { NOW } from '../../reconcile/account.ts';

const BUDGET = { unlimited: null, usd: null, quota: null, per: null, below: null, initial: null };

/** A configuration as core sends it. */
export const configOf = (written: TerraformObject): TerraformObject => ({
  ...Object.fromEntries(Object.keys(KEY_RESOURCE.schema.attributes).map((name) => [name, null])),
  ...written,
});

export const budgetOf = (written: TerraformObject): TerraformObject => ({ ...BUDGET, ...written });

const isChanged = (planned: TerraformObject, prior: ResourceInstance | undefined): boolean =>
  prior === undefined || !isSameValue(planned, prior.state, typeOf(KEY_RESOURCE.schema));

/** The position of a request or of a write to the journal where the provider is killed, before or after it takes effect. */
export interface Kill {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** Counts the steps of a process, and ends it at one of them: nothing that it awaits ever comes. */
function openSteps(kill: Kill | undefined) {
  const never = new Promise<never>(() => {});
  let die = (): void => {};
  const killed = new Promise<'killed'>((resolve) => {
    die = () => resolve('killed');
  });
  let [count, isDead] = [0, false];
  const step = (run: () => unknown): unknown => {
    if (isDead) return never;
    count += 1;
    if (count !== kill?.at) return run();
    isDead = true;
    const effect = kill.when === 'after' ? Promise.resolve(run()) : Promise.resolve();
    return effect.then(die, die).then(() => never);
  };
  /** Wraps the methods that return a promise. */
  const stepping = <T extends object>(target: T, without: readonly string[]): T =>
    new Proxy(target, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name);
        if (typeof member !== 'function' || without.includes(String(name))) return member;
        return (...words: unknown[]) => step(() => member.apply(of, words));
      },
    });
  return { stepping, killed, count: () => count, isDead: () => isDead };
}

export interface Ran {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Labels whose planned state differs from the state. */
  readonly changes: readonly string[];
  readonly steps: number;
  readonly isKilled: boolean;
}

/** Only a rotation asks the gateway directly. */
const noGateway = () => ({}) as Client['gateway'];

type ClientOptions = Omit<Partial<Client>, 'gateway'> & {
  readonly gateway?: (store: MemoryStore) => Client['gateway'];
};

/** A gateway in memory, and the processes of the provider that use it one after the other. */
export function openMachine(
  options: Omit<MemoryOptions, 'now'>,
  { gateway = noGateway, ...change }: ClientOptions = {},
) {
  const clock = { now: NOW };
  const store = new MemoryStore({ ...options, now: () => clock.now });
  const memory = journalMemory();
  const waits: number[] = [];
  const locks: { claim?: SharedClaim } = {};
  const openProcess = (kill?: Kill) => {
    const steps = openSteps(kill);
    const journal = steps.stepping(
      openMemoryJournal(memory, () => clock.now),
      ['answered'],
    );
    const creates = openOwnCreates({
      journal,
      settle: 120,
      now: () => clock.now,
      async wait({ seconds }) {
        waits.push(seconds);
        clock.now += seconds;
      },
    });
    const [errors, warnings]: [string[], string[]] = [[], []];
    const client: Client = {
      gateway: gateway(store),
      store: sharedStore(steps.stepping(store, ['usage', 'observe', 'enter'])),
      claimedNames: new Set<string>(),
      creates,
      run: openRunMemory(),
      sleep: () => new Promise(() => {}),
      random: Math.random,
      now: () => clock.now,
      limits: {},
      ...change,
      ...locks,
    };
    const context: OperationContext<Client> = {
      client,
      signal: new AbortController().signal,
      warn: ({ summary }) => warnings.push(summary),
    };
    return { steps, creates, context, errors, warnings };
  };
  return { clock, store, memory, waits, locks, openProcess };
}

export type Process = ReturnType<ReturnType<typeof openMachine>['openProcess']>;

/**
 * A core without a protocol: it holds states, and runs the plan and the apply of a provider in a process for each.
 *
 * @param changesKeys otherwise an update is an error
 */
export function openCore(reportsUse: boolean, { changesKeys = false } = {}) {
  const { clock, store, memory, waits, locks, openProcess } = openMachine({ reportsUse });
  const states = new Map<string, ResourceInstance>();
  const tainted = new Set<string>();

  const refresh = async ({ context }: Process) => {
    for (const [label, instance] of states) {
      const now = await KEY_RESOURCE.read(instance, context);
      if (now) states.set(label, now);
      else states.delete(label);
    }
  };

  const planOf = async (label: string, config: TerraformObject, { context }: Process) => {
    const prior = states.get(label);
    const planned = plannedBySchema(KEY_RESOURCE.schema, config, prior?.state);
    return { prior, config, planned: await KEY_RESOURCE.plan({ prior, config, planned }, context) };
  };

  const create = async (label: string, config: TerraformObject, process: Process) => {
    const planned = await planOf(label, config, process);
    const { instance, diagnostics } = await KEY_RESOURCE.create(planned, process.context);
    if (process.steps.isDead()) return;
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    process.errors.push(...errors.map(({ summary }) => summary));
    process.warnings.push(...diagnostics.filter((d) => d.severity === 'warning').map(({ summary }) => summary));
    if (instance) states.set(label, instance);
    if (instance && errors.length > 0) tainted.add(label);
  };

  const applyOne = async (label: string, config: TerraformObject, process: Process) => {
    const prior = states.get(label);
    if (prior && tainted.delete(label)) {
      await KEY_RESOURCE.delete(prior, process.context);
      states.delete(label);
    }
    if (!states.has(label)) return await create(label, config, process);
    const planned = await planOf(label, config, process);
    const { prior: before } = planned;
    if (before === undefined || !isChanged(planned.planned, before)) return;
    if (!changesKeys) return void process.errors.push(`${label} changes`);
    const { instance, diagnostics } = await KEY_RESOURCE.update({ ...planned, prior: before }, process.context);
    if (process.steps.isDead()) return;
    if (instance) states.set(label, instance);
    for (const { severity, summary } of diagnostics)
      (severity === 'error' ? process.errors : process.warnings).push(summary);
  };

  const remove = async (label: string, process: Process) => {
    const prior = states.get(label);
    if (prior) await KEY_RESOURCE.delete(prior, process.context);
    if (!process.steps.isDead()) states.delete(label);
  };

  const PARALLELISM = 10;
  const apply = async (configs: ReadonlyMap<string, TerraformObject>, process: Process) => {
    const removed = [...states.keys()].filter((label) => !configs.has(label));
    const waiting = [
      ...removed.map((label) => () => remove(label, process)),
      ...[...configs].map(
        ([label, config]) =>
          () =>
            applyOne(label, config, process),
      ),
    ];
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next();
    };
    await Promise.all(Array.from({ length: PARALLELISM }, worker));
    await process.creates.close();
  };

  const plan = async (configs: ReadonlyMap<string, TerraformObject>) => {
    const process = openProcess();
    await refresh(process);
    const changes: string[] = [];
    for (const [label, config] of configs) {
      const { prior, planned } = await planOf(label, config, process);
      if (isChanged(planned, prior)) changes.push(label);
    }
    await process.creates.close();
    return { changes, warnings: process.warnings };
  };

  return {
    store,
    states,
    clock,
    memory,
    waits,
    /** The lock of the next processes; empty: they have none. */
    locks,
    plan,
    /** Refreshes, plans and applies. With a kill the apply ends there. */
    async run(configs: ReadonlyMap<string, TerraformObject>, kill?: Kill): Promise<Ran> {
      const { changes } = await plan(configs);
      const process = openProcess(kill);
      const ended = await Promise.race([apply(configs, process), process.steps.killed]);
      // Also a process that lived on would be another one in the next command.
      endRuns(memory);
      const { errors, warnings, steps } = process;
      return { errors, warnings, changes, steps: steps.count(), isKilled: ended === 'killed' };
    },
  };
}
