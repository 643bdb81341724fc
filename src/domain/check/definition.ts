import { type Diagnostic, errorAt } from '../diagnostic.ts';
import { KEY_FIELDS } from '../key/fields.ts';
import { tryParseDuration } from '../window.ts';
import {
  CHECK_CLASSES,
  CHECK_MODULES,
  type CheckDiagnostic,
  type CheckSpec,
  checkError,
  mustBeRejected,
} from './check.ts';

/** The greatest number of retries of a check. */
export const MOST_RETRIES = 5;

/** The longest time limit of one attempt, in seconds. */
export const LONGEST_ATTEMPT_S = 24 * 3600;

/** Names that a check cannot have, because a selection could mean either. */
export const RESERVED_CHECK_NAMES: readonly string[] = [...Object.keys(CHECK_MODULES), ...CHECK_CLASSES];

/** The parts of a definition that every language writes as a text or a number; numbers as decimal text. */
export const DEFINITION_PARTS = ['module', 'model', 'family', 'timeout', 'retries'] as const;
export type DefinitionInput = Readonly<Partial<Record<(typeof DEFINITION_PARTS)[number], string>>>;

interface PartRule {
  readonly expected: string;
  readonly parse: (text: string) => Partial<CheckSpec> | undefined;
}

const MODULES = Object.values(CHECK_MODULES).flat();

const RULES: Readonly<Record<keyof DefinitionInput, PartRule>> = {
  module: {
    expected: `one of ${MODULES.join(', ')}`,
    parse: (text) => MODULES.filter((module) => module === text).map((module) => ({ module }))[0],
  },
  model: {
    expected: KEY_FIELDS.models.accepts,
    parse: (text) => (KEY_FIELDS.models.pattern.test(text) ? { model: text } : undefined),
  },
  family: {
    expected: 'the name of a family of models',
    parse: (text) => (/^[^\p{Cc}]+$/u.test(text) ? { family: text } : undefined),
  },
  timeout: {
    expected: 'a duration such as `90s` or `5m`, at most `24h`',
    parse: (text) => {
      const seconds = tryParseDuration(text);
      return seconds === undefined || seconds > LONGEST_ATTEMPT_S ? undefined : { timeoutMs: seconds * 1000 };
    },
  },
  retries: {
    expected: `a whole number from 0 to ${MOST_RETRIES}`,
    parse: (text) => (/^\d$/.test(text) && Number(text) <= MOST_RETRIES ? { retries: Number(text) } : undefined),
  },
};

/** Brings the plain parts of a definition to normal form. Each diagnostic has the path of its part. */
export function parseDefinition(input: DefinitionInput): {
  readonly parsed: Partial<CheckSpec>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const parts = DEFINITION_PARTS.flatMap((part) => {
    const text = input[part];
    return text === undefined ? [] : [{ part, text, parsed: RULES[part].parse(text) }];
  });
  return {
    parsed: Object.assign({}, ...parts.map(({ parsed }) => parsed)),
    diagnostics: parts
      .filter(({ parsed }) => parsed === undefined)
      .map(({ part, text }) =>
        errorAt([part], 'manifest.invalid-value', {
          message: `Invalid value for \`${part}\`.`,
          found: JSON.stringify(text),
          expected: RULES[part].expected,
        }),
      ),
  };
}

/** Modules that send nothing to a model. */
const MODULES_WITHOUT_MODEL: readonly string[] = [
  'model-list',
  'forbidden-address',
  'disabled-key',
  'expired-key',
  'spoofed-address',
];

const isPaid = (module: CheckSpec['module']): boolean => !mustBeRejected(module) && module !== 'count-tokens';

/** The parts of a definition that not every module supports. */
interface ModuleParts extends Pick<CheckSpec, 'module'> {
  readonly retries?: number | undefined;
  readonly schedule?: CheckSpec['schedule'] | undefined;
  readonly model?: string | undefined;
}

/** Returns what a valid definition cannot have with its module. */
export function moduleDiagnostics({ module, retries = 0, schedule, model }: ModuleParts): readonly CheckDiagnostic[] {
  return [
    ...(module === 'video' && retries > 0
      ? [checkError(['retries'], 'must be 0: each submission of a video costs money')]
      : []),
    ...(schedule === 'free' && isPaid(module)
      ? [checkError(['schedule'], `must be \`cheap\` or \`costly\`: ${module} costs money`)]
      : []),
    ...(model !== undefined && MODULES_WITHOUT_MODEL.includes(module)
      ? [checkError(['model'], `must be omitted: ${module} does not use a model`)]
      : []),
  ];
}
