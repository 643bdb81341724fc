import { addressProblem, isRuleWithin, parseIpRule } from '../../../src/domain/index.ts';
import type { KeyAttributes } from '../stack/synthesized.ts';
import { hasUnresolved } from '../values/unresolved.ts';
import { Guardrail, type GuardrailProps, isIgnored, overlooked, unseen } from './guardrail.ts';

/** Which lists a key has to have, and what may be in them. */
export interface RequireAllowlistProps extends GuardrailProps {
  /** `true`: a key names its models. A list: it names no others than these. Default: true. */
  readonly models?: boolean | readonly string[];
  /** `true`: a key names its addresses. A list: they lie within these ranges. Default: false. */
  readonly addresses?: boolean | readonly string[];
}

interface List {
  /** What people call it. */
  readonly field: 'models' | 'allowIps';
  /** The word that stands for no restriction. */
  readonly word: string;
  /** The value that Terraform would be given. */
  readonly written: unknown;
  isAllowed(item: string): boolean;
}

function listProblems({ field, word, written, isAllowed }: List): readonly string[] {
  if (written === undefined || written === null) return [`it does not say its \`${field}\`. List them.`];
  if (hasUnresolved(written) || !Array.isArray(written)) return [unseen(field)];
  if (written.includes(word)) return [`its \`${field}\` are "${word}". List them.`];
  const foreign = written.filter((item) => !isAllowed(String(item)));
  return foreign.length === 0 ? [] : [`its \`${field}\` go beyond what is allowed: ${foreign.join(', ')}.`];
}

const isRequired = (list: boolean | readonly string[]): boolean => list !== false;

function isWithin(ranges: readonly string[], item: string): boolean {
  const parsed = parseIpRule(item);
  return parsed.ok && isRuleWithin(parsed.rule, ranges);
}

/** Every key names what it may use, and from where. */
export class RequireAllowlist extends Guardrail {
  readonly #models: boolean | readonly string[];
  readonly #addresses: boolean | readonly string[];

  /** @throws Error when a range is none */
  public constructor(props: RequireAllowlistProps = {}) {
    super(props, ['models', 'addresses']);
    for (const [name, list] of Object.entries({ models: props.models, addresses: props.addresses })) {
      if (list !== undefined && typeof list !== 'boolean' && !Array.isArray(list)) {
        throw this.refusal(`\`${name}\` is true, false or a list.`);
      }
    }
    this.#models = props.models ?? true;
    this.#addresses = props.addresses ?? false;
    for (const range of typeof this.#addresses === 'boolean' ? [] : this.#addresses) {
      const problem = addressProblem(range);
      if (problem) throw this.refusal(`${problem.summary}. ${problem.detail ?? ''}`.trim());
    }
  }

  protected override problems(key: KeyAttributes): readonly string[] {
    const { models, allow_ips: addresses } = key;
    const [known, ranges] = [this.#models, this.#addresses];
    const isKnown = (model: string): boolean => typeof known === 'boolean' || known.includes(model);
    const isNear = (rule: string): boolean => typeof ranges === 'boolean' || isWithin(ranges, rule);
    return [
      ...(isRequired(known) && isIgnored(key, 'models') ? [overlooked('models')] : []),
      ...(isRequired(ranges) && isIgnored(key, 'allow_ips') ? [overlooked('allowIps')] : []),
      ...(isRequired(known) ? listProblems({ field: 'models', word: 'any', written: models, isAllowed: isKnown }) : []),
      ...(isRequired(ranges)
        ? listProblems({ field: 'allowIps', word: 'anywhere', written: addresses, isAllowed: isNear })
        : []),
    ];
  }
}
