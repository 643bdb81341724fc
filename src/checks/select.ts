import {
  bareCheck,
  CHECK_CLASSES,
  CHECK_MODULES,
  type CheckClass,
  type CheckKind,
  type CheckModule,
  type CheckSpec,
  CUSTOM_MODULE,
  checksMeant,
  type DesiredKey,
  type KeyId,
  kindOfModule,
  mustBeRejected,
  type RunnableCheck,
} from '../domain/index.ts';
import { findModule } from './catalog.ts';
import type { RunnableEntry } from './check-module.ts';
import { type CustomCheck, entryOfCustom, specOfCustom } from './custom-check.ts';

/** One check that proves one key. */
export interface Selected {
  /** The name of the key. */
  readonly key: string;
  /** The key that was adopted by its ID, which others may share their name with. */
  readonly id?: KeyId;
  /** The check as it was declared. */
  readonly spec: RunnableCheck;
  /** The module that runs it. */
  readonly entry: RunnableEntry;
  /** The class of its cost. */
  readonly schedule: CheckClass;
  /** Not requested by name: where the check does not apply to a key, the report omits it. */
  readonly implied?: true;
  /** The reason that it does not run. */
  readonly omittedBecause?: string;
}

export interface Selection {
  /** The words that each key selects: names, modules, kinds, classes. */
  readonly selections: ReadonlyMap<string, readonly string[]>;
  /** The IDs of the keys that are declared by them, by name. */
  readonly adopted?: ReadonlyMap<string, readonly KeyId[]>;
  readonly definitions: readonly CheckSpec[];
  /** The checks that a program defines, in addition. */
  readonly custom?: readonly CustomCheck[];
  /** Limits the selection to these words: names, modules, kinds, classes. Empty: no limit. */
  readonly asked: readonly string[];
  /** Run costly checks that are not requested by name, too. */
  readonly costly: boolean;
}

/** The IDs of the keys that these declarations adopt, by name. */
export function adoptedIds(keys: readonly DesiredKey[]): ReadonlyMap<string, readonly KeyId[]> {
  const ids = new Map<string, KeyId[]>();
  for (const { name, id } of keys) if (id !== undefined) ids.set(name, [...(ids.get(name) ?? []), id]);
  return ids;
}

const COSTLY = 'costly: it runs only on request';

/** A check that a program defines states its class. */
const scheduleOf = ({ module, schedule }: Pick<RunnableCheck, 'module' | 'schedule'>): CheckClass =>
  schedule ?? (module === CUSTOM_MODULE ? 'costly' : findModule(module).schedule);

const isKind = (word: string): word is CheckKind => Object.hasOwn(CHECK_MODULES, word);
const isClass = (word: string): word is CheckClass => CHECK_CLASSES.includes(word as never);

/**
 * The checks that a word implies: their modules need neither a model nor a definition. A class does not imply those of
 * `bypass`, which most gateways fail.
 */
function impliedBy(word: string, definitions: readonly RunnableCheck[]): readonly CheckSpec[] {
  const withoutDefinition = (modules: readonly CheckModule[]): readonly CheckSpec[] =>
    modules.filter((id) => !definitions.some(({ module }) => module === id)).map(bareCheck);
  const { enforcement, bypass } = CHECK_MODULES;
  if (word === 'bypass') return withoutDefinition(bypass);
  const implied = withoutDefinition(enforcement);
  if (word === 'enforcement') return implied;
  return isClass(word) ? implied.filter((spec) => scheduleOf(spec) === word) : [];
}

/** The checks that a word of a selection stands for. */
function meant(word: string, definitions: readonly RunnableCheck[]): readonly RunnableCheck[] {
  const named = checksMeant(word, definitions);
  if (named) return named;
  const of = (spec: RunnableCheck): boolean =>
    isKind(word) ? kindOfModule(spec.module) === word : isClass(word) && scheduleOf(spec) === word;
  return [...definitions.filter(of), ...impliedBy(word, definitions)];
}

const answersTo = (spec: RunnableCheck, word: string): boolean =>
  [spec.name, spec.module, kindOfModule(spec.module), scheduleOf(spec)].some((name) => name === word);

/** A kind is not a name: `media` does not request costly checks. */
const isNamed = (spec: RunnableCheck, asked: readonly string[]): boolean =>
  asked.some((word) => word === spec.name || word === spec.module || word === 'costly');

/** Selects the checks of each key, from free to costly. */
export function selectChecks(selection: Selection): readonly Selected[] {
  const { selections, adopted, custom = [], asked, costly } = selection;
  const definitions = [...selection.definitions, ...custom.map(specOfCustom)];
  const own = new Map(custom.map((check) => [check.name, entryOfCustom(check)]));
  return [...selections].flatMap(([key, words]) => {
    const specs = [
      ...new Map(words.flatMap((word) => meant(word, definitions)).map((spec) => [spec.name, spec])).values(),
    ];
    const wanted = specs.filter((spec) => asked.length === 0 || asked.some((word) => answersTo(spec, word)));
    const selected = wanted.map((spec): Selected => {
      const schedule = scheduleOf(spec);
      const runs = schedule !== 'costly' || costly || isNamed(spec, asked);
      const isImplied = mustBeRejected(spec.module) && !words.includes(spec.name);
      return {
        key,
        spec,
        entry: own.get(spec.name) ?? findModule(spec.module),
        schedule,
        ...(isImplied ? { implied: true } : {}),
        ...(runs ? {} : { omittedBecause: COSTLY }),
      };
    });
    const sorted = selected.sort((a, b) => CHECK_CLASSES.indexOf(a.schedule) - CHECK_CLASSES.indexOf(b.schedule));
    const ids = adopted?.get(key) ?? [];
    return ids.length === 0 ? sorted : ids.flatMap((id) => sorted.map((each) => ({ ...each, id })));
  });
}

/** Every word of a selection, in addition to the names of checks. */
export const SELECTION_WORDS: readonly string[] = [
  ...Object.keys(CHECK_MODULES),
  ...Object.values(CHECK_MODULES).flat(),
  ...CHECK_CLASSES,
];
