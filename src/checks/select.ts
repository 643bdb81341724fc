import {
  bareCheck,
  CHECK_CLASSES,
  CHECK_MODULES,
  type CheckClass,
  type CheckKind,
  type CheckSpec,
  checksMeant,
  kindOfModule,
} from '../domain/index.ts';
import { findModule } from './catalog.ts';
import type { CheckModuleEntry } from './check-module.ts';

/** One check that proves one key. */
export interface Selected {
  /** The key’s name. */
  readonly key: string;
  readonly spec: CheckSpec;
  readonly entry: CheckModuleEntry;
  readonly schedule: CheckClass;
  /** Nobody asked for it by its name: where it means nothing for a key, nothing is said of it. */
  readonly implied?: true;
  /** Why it does not run this time. */
  readonly leftOut?: string;
}

export interface Selection {
  /** For each key, what its declaration selects: names, modules, kinds, classes. */
  readonly selections: ReadonlyMap<string, readonly string[]>;
  readonly definitions: readonly CheckSpec[];
  /** Only these of what is selected: names, modules, kinds, classes. Empty: all. */
  readonly asked: readonly string[];
  /** Are costly checks asked for? */
  readonly costly: boolean;
}

const LEFT_OUT = 'costly: it runs only when it is asked for';

const scheduleOf = ({ module, schedule }: Pick<CheckSpec, 'module' | 'schedule'>): CheckClass =>
  schedule ?? findModule(module).schedule;

const isKind = (word: string): word is CheckKind => Object.hasOwn(CHECK_MODULES, word);
const isClass = (word: string): word is CheckClass => CHECK_CLASSES.includes(word as never);

/** What forbids something is proven by a module alone: it needs no model and no request. */
function impliedBy(word: string, definitions: readonly CheckSpec[]): readonly CheckSpec[] {
  const undefinedOnes = CHECK_MODULES.enforcement.filter((id) => !definitions.some(({ module }) => module === id));
  const implied = undefinedOnes.map(bareCheck);
  if (word === 'enforcement') return implied;
  return isClass(word) ? implied.filter((spec) => scheduleOf(spec) === word) : [];
}

/** The checks that a word of a selection means. */
function meant(word: string, definitions: readonly CheckSpec[]): readonly CheckSpec[] {
  const named = checksMeant(word, definitions);
  if (named) return named;
  const of = (spec: CheckSpec): boolean =>
    isKind(word) ? kindOfModule(spec.module) === word : isClass(word) && scheduleOf(spec) === word;
  return [...definitions.filter(of), ...impliedBy(word, definitions)];
}

const answersTo = (spec: CheckSpec, word: string): boolean =>
  [spec.name, spec.module, kindOfModule(spec.module), scheduleOf(spec)].includes(word);

/** A kind is no name: who asks for all media has not asked for what is costly. */
const isNamed = (spec: CheckSpec, asked: readonly string[]): boolean =>
  asked.some((word) => word === spec.name || word === spec.module || word === 'costly');

/** Which checks prove which key: by key, then from what costs nothing to what costs much. */
export function selectChecks({ selections, definitions, asked, costly }: Selection): readonly Selected[] {
  return [...selections].flatMap(([key, words]) => {
    const specs = [
      ...new Map(words.flatMap((word) => meant(word, definitions)).map((spec) => [spec.name, spec])).values(),
    ];
    const wanted = specs.filter((spec) => asked.length === 0 || asked.some((word) => answersTo(spec, word)));
    const selected = wanted.map((spec): Selected => {
      const schedule = scheduleOf(spec);
      const runs = schedule !== 'costly' || costly || isNamed(spec, asked);
      const isImplied = kindOfModule(spec.module) === 'enforcement' && !words.includes(spec.name);
      return {
        key,
        spec,
        entry: findModule(spec.module),
        schedule,
        ...(isImplied ? { implied: true } : {}),
        ...(runs ? {} : { leftOut: LEFT_OUT }),
      };
    });
    return selected.sort((a, b) => CHECK_CLASSES.indexOf(a.schedule) - CHECK_CLASSES.indexOf(b.schedule));
  });
}

/** Every word that a command line may ask for, beside the names of checks. */
export const SELECTION_WORDS: readonly string[] = [
  ...Object.keys(CHECK_MODULES),
  ...Object.values(CHECK_MODULES).flat(),
  ...CHECK_CLASSES,
];
