import {
  type ApplyReport,
  isPending,
  type ObservedKey,
  type Outcome,
  type SpendCorrection,
} from '../../../domain/index.ts';
import { apply, planDestroy } from '../../../reconcile/index.ts';
import { isWhollyKnown, type ObjectValue } from '../../codec/value.ts';
import type { OperationContext, ProposedChange, ResourceInstance, WriteResult } from '../../provider/definition.ts';
import { type Diagnostic, DiagnosticError, diagnosticsOf } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { newestOf, type OneKeyStore, storeOfLive, storeOfNew } from '../store/one-key.ts';
import { explained, type Look, logPages, lookAt, only } from './compare.ts';
import { findLive, idOf, rememberedFor } from './find-live.ts';
import { desiredFrom } from './forms.ts';
import { sentence } from './plan-warnings.ts';
import { declaredState, enabledState, figuresOf, type Seen } from './state.ts';

type Context = OperationContext<Client>;

const run = (
  { plan, desired, observed }: Look,
  store: OneKeyStore,
  { client, signal }: Context,
): Promise<ApplyReport> =>
  apply(plan, store, { observed, desired, now: client.now, concurrency: 1, signal, ...logPages(client) });

const SKIPPED =
  'If another resource gives the name up in this run, apply again. Two keys that exchange their names need a name in between; with `for_each` instead of `count` they would not have to.';

const outcomeDiagnostics = (outcome: Outcome): readonly Diagnostic[] => {
  if (outcome.state === 'skipped') {
    return [{ severity: 'error', summary: `Not done: ${outcome.reason}`, detail: SKIPPED, path: ['name'] }];
  }
  if ('fault' in outcome) return diagnosticsOf(outcome.fault);
  return outcome.remark === undefined ? [] : [{ severity: 'warning', summary: sentence(outcome.remark) }];
};

const correctionDiagnostics = ({ name, units, takenBack }: SpendCorrection): readonly Diagnostic[] =>
  takenBack
    ? []
    : [
        {
          severity: 'warning',
          summary: `${name} may spend ${units} quota units more than declared: what it spent during the write could not be taken back`,
        },
      ];

/** What a run has to say. One that ended early says why, and not again for each change that it did not begin. */
function remarksOn({ outcomes, corrections, fatal }: ApplyReport): readonly Diagnostic[] {
  const said = outcomes.flatMap(outcomeDiagnostics);
  const isTold = said.some(({ severity }) => severity === 'error');
  return [
    ...(fatal && !isTold ? diagnosticsOf(explained(fatal)) : []),
    ...said,
    ...corrections.flatMap(correctionDiagnostics),
  ];
}

const isTrouble = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error');

/** What the gateway took and did not keep. */
function unkept({ after }: ApplyReport): string | undefined {
  const left = (after?.changes ?? []).filter(isPending);
  if (left.length === 0) return undefined;
  const fields = left.flatMap((change) => ('edits' in change ? change.edits.map(({ field }) => field) : [change.verb]));
  return `The gateway accepted what was written, and is not as declared: ${[...new Set(fields)].join(', ')}`;
}

const seenOf = async (key: ObservedKey, { store, now }: Client): Promise<Seen> => ({
  key,
  quotaPerUnit: await store.quotaPerUnit(),
  now: now(),
});

/** What was planned, with what is known only now. */
const filled = (planned: ObjectValue, now: ObjectValue): ObjectValue =>
  Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [name, isWhollyKnown(value) ? value : (now[name] ?? null)]),
  );

async function stateAfter(planned: ObjectValue, key: ObservedKey, client: Client): Promise<ObjectValue> {
  const seen = await seenOf(key, client);
  return filled(planned, { ...declaredState(planned, seen), ...figuresOf(seen) });
}

/** A key of which nothing is known but that it may have been made: the next refresh looks for it. */
const lost = (planned: ObjectValue, newest: number, client: Client): ResourceInstance => ({
  state: filled(planned, {}),
  ...rememberedFor(client, { lost: { after: newest, at: client.now() } }),
});

const taken = (name: string, id: number | undefined): Diagnostic => ({
  severity: 'error',
  summary: `A key named ${JSON.stringify(name)} exists already${id === undefined ? ', or is being made' : ` (id ${id})`}`,
  detail: [
    'Two keys of one name could not be told apart.',
    'If it is the key that this one replaces (`create_before_destroy`), give the new one another name.',
    'If another resource gives the name up in this run, apply again.',
    'If it belongs to nobody here, import it: `import` with its id, or `name=…`.',
  ].join('\n'),
  path: ['name'],
});

const LOST: Diagnostic = {
  severity: 'warning',
  summary: 'It is not known whether the key was made',
  detail: 'Terraform keeps it in mind: the next plan looks for it, and replaces it where it is there.',
};

/** What is left of a create that did not go well: a half-made key, a lost one, or none. */
async function halfMade(
  outcome: Outcome | undefined,
  { planned, store, client }: { planned: ObjectValue; store: ReturnType<typeof storeOfNew>; client: Client },
): Promise<ResourceInstance | undefined> {
  const newest = newestOf(store.before() ?? []);
  const made = store.seen()?.filter((key) => key.name === planned.name && key.id > newest) ?? [];
  const [key] = made;
  if (key && made.length === 1) return { state: await stateAfter(planned, key, client), ...rememberedFor(client) };
  return outcome?.state === 'indeterminate' || made.length > 1 ? lost(planned, newest, client) : undefined;
}

async function make({ planned, config }: ProposedChange, context: Context): Promise<WriteResult> {
  const { client } = context;
  const name = String(planned.name);
  const store = storeOfNew(client.store, name);
  const look = await lookAt(desiredFrom({ ...config, enabled: planned.enabled ?? null }), undefined, client);
  const report = await run(look, store, context);
  const diagnostics = remarksOn(report);
  const [outcome] = report.outcomes;
  if (outcome && 'fault' in outcome && outcome.fault.code === 'plan.stale') {
    return { diagnostics: [taken(name, store.before()?.find((key) => key.name === name)?.id)] };
  }
  const found = outcome?.state === 'applied' ? store.seen()?.find(({ id }) => id === outcome.id) : undefined;
  if (found === undefined || isTrouble(diagnostics)) {
    const instance = await halfMade(outcome, { planned, store, client });
    const isLost = instance !== undefined && idOf(instance) === undefined;
    return { diagnostics: isLost ? [...diagnostics, LOST] : diagnostics, ...(instance && { instance }) };
  }
  const left = unkept(report);
  const state = await stateAfter(planned, found, client);
  return {
    instance: { state, ...rememberedFor(client) },
    diagnostics: [...diagnostics, ...(left === undefined ? [] : [{ severity: 'warning', summary: left } as const])],
  };
}

/** Makes a key, once. No two of one name are made by one process. */
export async function createKey(planning: ProposedChange, context: Context): Promise<WriteResult> {
  const { names } = context.client;
  const name = String(planning.planned.name);
  if (names.has(name)) return { diagnostics: [taken(name, undefined)] };
  names.add(name);
  const written = await make(planning, context).catch(
    (thrown: unknown): WriteResult => ({ diagnostics: diagnosticsOf(thrown) }),
  );
  if (written.instance === undefined) names.delete(name);
  return written;
}

const gone = (prior: ObjectValue): DiagnosticError =>
  new DiagnosticError({
    summary: `The key ${prior.id} (${JSON.stringify(prior.name)}) does not exist any more`,
    detail: 'Plan again: it will be made anew.',
  });

/** Changes a key. What is instance afterwards is true, whether or not all went well. @throws DiagnosticError, Fault */
export async function updateKey(
  planning: ProposedChange & { readonly prior: ResourceInstance },
  context: Context,
): Promise<WriteResult> {
  const { names } = context.client;
  const live = await findLive(planning.prior, context.client);
  if (live === undefined) throw gone(planning.prior.state);
  const name = String(planning.planned.name);
  if (name === live.name) return await change(planning, live, context);
  if (names.has(name)) return { diagnostics: [taken(name, undefined)] };
  names.add(name);
  const written = await change(planning, live, context).catch((thrown: unknown) => {
    names.delete(name);
    throw thrown;
  });
  if (written.instance?.state.name !== name) names.delete(name);
  return written;
}

async function change(
  planning: ProposedChange & { readonly prior: ResourceInstance },
  live: ObservedKey,
  context: Context,
): Promise<WriteResult> {
  const { planned, config } = planning;
  const { client } = context;
  const desired = desiredFrom({ ...config, enabled: planned.enabled ?? null }, live.name);
  const look = await lookAt(desired, live, client);
  const store = storeOfLive(client.store, live.id, desired.name !== live.name);
  const report = await run(look, store, context);
  const diagnostics = remarksOn(report);
  const left = unkept(report);
  const memory = rememberedFor(client);
  const [key = live] = store.seen() ?? [];
  if (!isTrouble(diagnostics) && left === undefined) {
    return { instance: { state: await stateAfter(planned, key, client), ...memory }, diagnostics };
  }
  const said: readonly Diagnostic[] =
    left === undefined || isTrouble(diagnostics) ? diagnostics : [...diagnostics, { severity: 'error', summary: left }];
  return { instance: { state: await stateOfFailed(planning, key, client), ...memory }, diagnostics: said };
}

/** What a key is after a change that failed, perhaps in part: nothing is claimed that does not hold. */
async function stateOfFailed(
  { prior, planned }: { prior: ResourceInstance; planned: ObjectValue },
  key: ObservedKey,
  client: Client,
): Promise<ObjectValue> {
  const seen = await seenOf(key, client);
  const look = await lookAt(desiredFrom(prior.state, key.name), key, client);
  const enabled = enabledState(prior.state.enabled !== false, look.plan, seen);
  const written = { ...planned, budget: prior.state.budget ?? null };
  return { ...declaredState(written, seen), enabled, ...figuresOf(seen) };
}

/** Deletes a key, and makes sure that it is gone. @throws DiagnosticError, Fault */
export async function deleteKey(prior: ResourceInstance, context: Context): Promise<void> {
  const { client, signal } = context;
  const live = await findLive(prior, client);
  if (live === undefined) return;
  const desired = only(desiredFrom({ name: live.name }, live.name));
  const quotaPerUnit = await client.store.quotaPerUnit();
  const observed = { account: client.store.account, quotaPerUnit, keys: [live], used: new Map() };
  const plan = planDestroy(desired, observed, client.now());
  const store = storeOfLive(client.store, live.id, false);
  const report = await apply(plan, store, { observed, now: client.now, concurrency: 1, signal });
  const diagnostics = remarksOn(report).filter(({ severity }) => severity === 'error');
  if (diagnostics.length > 0) throw new DiagnosticError(...diagnostics);
}
