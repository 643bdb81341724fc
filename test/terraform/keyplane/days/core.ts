import { isSameValue } from '../../../../src/terraform/codec/same-value.ts';
import { isObject, isUnknown, type TerraformObject, UNKNOWN } from '../../../../src/terraform/codec/value.ts';
import { KEY_RESOURCE } from '../../../../src/terraform/keyplane/key/resource.ts';
import type { ResourceInstance } from '../../../../src/terraform/provider/definition.ts';
import { diagnosticsOf } from '../../../../src/terraform/provider/diagnostics.ts';
import { attributesToReplace, plannedBySchema } from '../../../../src/terraform/provider/planned.ts';
import { attributeType, typeOf } from '../../../../src/terraform/provider/schema.ts';
import { endRuns } from '../../../contract/memory-journal.ts';
import type { Kill, openMachine, Process } from '../core.ts';

/** A core that plans and applies keys in the order of Terraform, and checks what Terraform checks. */

const { schema } = KEY_RESOURCE;
const TYPE = typeOf(schema);

export interface Declared {
  readonly config: TerraformObject;
  /** The attributes that `ignore_changes` has; `all`: every one. */
  readonly ignored?: readonly string[] | 'all';
  /** Attributes whose values are known at the apply only. */
  readonly unknown?: readonly string[];
}

export type Declarations = ReadonlyMap<string, Declared>;

export interface Options {
  readonly kill?: Kill;
  readonly isUnrefreshed?: boolean;
  readonly targets?: readonly string[];
  readonly replaced?: readonly string[];
  /** Runs between the plan and the apply. */
  readonly between?: () => void;
  /** Shuffles the resources. */
  readonly order: <T>(of: readonly T[]) => readonly T[];
}

export interface Ended {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly changes: readonly string[];
  readonly isKilled: boolean;
  readonly steps: number;
}

interface Stored extends ResourceInstance {
  readonly isTainted?: boolean;
}
export type States = Map<string, Stored>;

interface Planned {
  readonly label: string;
  readonly action: 'create' | 'update' | 'delete' | 'replace' | 'none';
  readonly prior: Stored | undefined;
  readonly planned: TerraformObject | undefined;
}

/** A mistake that core finds in the answers of a provider. */
class Inconsistent extends Error {}

/** Requires that everything known stays as it is. */
function requireSame(title: string, before: TerraformObject, after: TerraformObject): void {
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    const [one, other] = [before[name] ?? null, after[name] ?? null];
    if (isUnknown(one) || (isObject(one) && Object.values(one).some(isUnknown))) continue;
    if (!isSameValue(one, other, attributeType(attribute)))
      throw new Inconsistent(`${title}: ${name} was ${JSON.stringify(one)} and is ${JSON.stringify(other)}`);
  }
}

/** Every configured value is planned, or the one before stays. */
function requireValidPlan(
  label: string,
  { config, planned, prior }: { config: TerraformObject; planned: TerraformObject; prior: TerraformObject | undefined },
) {
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    const [given, its, before] = [config[name] ?? null, planned[name] ?? null, prior?.[name] ?? null];
    const type = attributeType(attribute);
    if (isSameValue(given, its, type)) continue;
    if (prior !== undefined && isSameValue(before, its, type) && given !== null) continue;
    if (given === null && attribute.set.endsWith('computed')) continue;
    throw new Inconsistent(
      `invalid plan of ${label}: ${name} is configured as ${JSON.stringify(given)}, planned as ${JSON.stringify(its)}`,
    );
  }
}

const ignoring = ({ config, ignored }: Declared, prior: ResourceInstance | undefined): TerraformObject => {
  if (!prior || !ignored) return config;
  const names = ignored === 'all' ? Object.keys(config) : ignored;
  return { ...config, ...Object.fromEntries(names.map((name) => [name, prior.state[name] ?? null])) };
};

const actionOf = (prior: Stored | undefined, planned: TerraformObject): Planned['action'] => {
  if (prior === undefined) return 'create';
  return isSameValue(planned, prior.state, TYPE) ? 'none' : 'update';
};

/** Plans one resource. A tainted one, and one that is replaced, is planned as a new one. */
async function planOne(
  label: string,
  declared: Declared,
  {
    prior,
    isForced,
    process,
    isApply,
  }: { prior: Stored | undefined; isForced: boolean; process: Process; isApply: boolean },
): Promise<Planned> {
  const masked: Declared =
    !isApply && declared.unknown
      ? {
          ...declared,
          config: { ...declared.config, ...Object.fromEntries(declared.unknown.map((name) => [name, UNKNOWN])) },
        }
      : declared;
  const plan = async (before: Stored | undefined): Promise<TerraformObject> => {
    const config = ignoring(masked, before);
    const own = Object.fromEntries(
      Object.entries(config).map(([name, value]) => [name, schema.attributes[name]?.set === 'computed' ? null : value]),
    );
    const given = { prior: before, config: own, planned: plannedBySchema(schema, own, before?.state) };
    const planned = { ...(await KEY_RESOURCE.plan(given, process.context)) };
    requireValidPlan(label, { config: own, planned, prior: before?.state });
    return planned;
  };
  const isTainted = prior?.isTainted === true;
  const before = isTainted ? undefined : prior;
  const planned = await plan(before);
  if (isTainted) return { label, action: 'replace', prior, planned };
  const action = actionOf(before, planned);
  const mustReplace = before && (isForced || attributesToReplace(schema, before.state, planned).length > 0);
  if (!mustReplace) return { label, action, prior, planned };
  return { label, action: 'replace', prior, planned: await plan(undefined) };
}

/** Holds states, and plans and applies in a process of the provider for each, as Terraform does. */
export function openDaysCore(machine: ReturnType<typeof openMachine>) {
  const core = { states: new Map() as States };

  const planAll = async (declarations: Declarations, options: Options, process: Process) => {
    const { targets, isUnrefreshed = false, replaced = [], order } = options;
    const working: States = new Map(core.states);
    const plans: Planned[] = [];
    const labels = order([...new Set([...working.keys(), ...declarations.keys()])]);
    for (const label of labels) {
      if (targets && !targets.includes(label)) continue;
      try {
        const stored = working.get(label);
        if (stored && !isUnrefreshed) {
          const now = await KEY_RESOURCE.read(stored, process.context);
          if (now === undefined) working.delete(label);
          else working.set(label, { ...now, ...(stored.isTainted && { isTainted: true }) });
        }
        const prior = working.get(label);
        const declared = declarations.get(label);
        if (declared === undefined) {
          if (prior) await KEY_RESOURCE.planDelete?.(prior, process.context);
          if (prior) plans.push({ label, action: 'delete', prior, planned: undefined });
          continue;
        }
        const isForced = replaced.includes(label);
        plans.push(await planOne(label, declared, { prior, isForced, process, isApply: false }));
      } catch (thrown) {
        if (thrown instanceof Inconsistent) throw thrown;
        process.errors.push(...diagnosticsOf(thrown).map(({ summary }) => summary));
      }
    }
    await process.creates.close();
    return { working, plans };
  };

  const note = (process: Process, diagnostics: readonly { severity: string; summary: string }[]) => {
    for (const { severity, summary } of diagnostics)
      (severity === 'error' ? process.errors : process.warnings).push(summary);
    return diagnostics.some(({ severity }) => severity === 'error');
  };

  const destroy = async ({ label, prior }: Planned, process: Process): Promise<boolean> => {
    if (prior === undefined) return true;
    try {
      await KEY_RESOURCE.delete(prior, process.context);
    } catch (thrown) {
      note(process, diagnosticsOf(thrown));
      return false;
    }
    if (!process.steps.isDead()) core.states.delete(label);
    return true;
  };

  const write = async (first: Planned, declared: Declared, process: Process): Promise<void> => {
    const { label, action } = first;
    const prior = action === 'replace' || action === 'create' ? undefined : first.prior;
    const second = await planOne(label, declared, { prior, isForced: false, process, isApply: true });
    if (first.planned && second.planned)
      requireSame(`inconsistent final plan of ${label}`, first.planned, second.planned);
    const isReduced = action === 'update' && second.action === 'none';
    if (second.action === 'none' && (action === 'none' || isReduced)) return;
    if (second.action !== action && !(action === 'replace' && second.action === 'create'))
      throw new Inconsistent(`inconsistent final plan of ${label}: ${action} became ${second.action}`);
    const planned = second.planned ?? {};
    const change = { config: declared.config, planned };
    const { instance, diagnostics } = await (prior
      ? KEY_RESOURCE.update({ ...change, prior }, process.context)
      : KEY_RESOURCE.create({ ...change, prior }, process.context)
    ).catch((thrown: unknown) => ({ instance: prior, diagnostics: diagnosticsOf(thrown) }));
    if (process.steps.isDead()) return;
    const hasFailed = note(process, diagnostics);
    if (instance && !hasFailed) requireSame(`inconsistent result of ${label}`, planned, instance.state);
    if (instance) core.states.set(label, { ...instance, ...(hasFailed && prior === undefined && { isTainted: true }) });
  };

  const applyAll = async (
    declarations: Declarations,
    { working, plans }: { working: States; plans: readonly Planned[] },
    process: Process,
    options: Options,
  ) => {
    const waiting = options.order(plans).map((planned) => async () => {
      try {
        if (planned.action === 'delete') return void (await destroy(planned, process));
        if (planned.action === 'replace' && !(await destroy(planned, process))) return;
        const declared = declarations.get(planned.label);
        if (declared) await write(planned, declared, process);
      } catch (thrown) {
        if (thrown instanceof Inconsistent) throw thrown;
        note(process, diagnosticsOf(thrown));
      }
    });
    core.states = new Map(working);
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next();
    };
    await Promise.all([worker(), worker(), worker()]);
    if (!process.steps.isDead()) await process.creates.close();
  };

  const plan = async (declarations: Declarations, options: Options) => {
    const process = machine.openProcess();
    const planned = await planAll(declarations, options, process);
    const changes = planned.plans
      .filter(({ action }) => action !== 'none')
      .map(({ label, action }) => `${action} ${label}`);
    return { ...planned, process, changes };
  };

  return {
    get states() {
      return core.states;
    },
    set states(states: States) {
      core.states = states;
    },
    async plan(declarations: Declarations, options: Options): Promise<Ended> {
      const { process, changes } = await plan(declarations, options);
      const { errors, warnings, steps } = process;
      return { errors, warnings, changes, isKilled: false, steps: steps.count() };
    },
    async apply(declarations: Declarations, options: Options): Promise<Ended> {
      const first = await plan(declarations, options);
      endRuns(machine.memory);
      const { changes } = first;
      const failed = { warnings: first.process.warnings, changes, isKilled: false, steps: 0 };
      if (first.process.errors.length > 0) return { ...failed, errors: first.process.errors };
      options.between?.();
      const process = machine.openProcess(options.kill);
      const ended = await Promise.race([applyAll(declarations, first, process, options), process.steps.killed]);
      endRuns(machine.memory);
      const { errors, warnings, steps } = process;
      return {
        errors,
        warnings: [...first.process.warnings, ...warnings],
        changes,
        isKilled: ended === 'killed',
        steps: steps.count(),
      };
    },
    async import(label: string, id: string): Promise<Ended> {
      const process = machine.openProcess();
      const { errors, warnings } = process;
      try {
        const imported = await KEY_RESOURCE.import(id, process.context);
        const read = await KEY_RESOURCE.read(imported, process.context);
        if (read) core.states.set(label, read);
      } catch (thrown) {
        note(process, diagnosticsOf(thrown));
      }
      await process.creates.close();
      return { errors, warnings, changes: [], isKilled: false, steps: 0 };
    },
  };
}
