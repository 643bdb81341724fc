import { type Diagnostic, isRuleWithin, KEY_FIELDS, parseIpRule, parseValue } from '../../../src/domain/index.ts';
import { errorText } from '../key/errors.ts';
import type { KeyAttributes } from '../stack/synthesized.ts';
import { hasUnresolved } from '../values/unresolved.ts';
import { Guardrail, type GuardrailProps, ignoredChanges, isIgnored, unresolvedValue } from './guardrail.ts';

/** The lists that a key must have, and the entries that they may have. */
export interface RequireAllowlistProps extends GuardrailProps {
  /** `true`: a key must list its models. A list: it may list only these. Default: true. */
  readonly models?: boolean | readonly string[];
  /** `true`: a key must list its addresses. A list: they must lie within these ranges. Default: false. */
  readonly addresses?: boolean | readonly string[];
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

interface List {
  /** The name of the prop. */
  readonly field: 'models' | 'allowIps';
  /** The value that Terraform reads. */
  readonly value: unknown;
  isAllowed(item: string): boolean;
}

function listViolations({ field, value, isAllowed }: List): readonly string[] {
  const { unrestricted } = KEY_FIELDS[field];
  if (value === undefined || value === null) return [`it has no \`${field}\`. List them.`];
  if (hasUnresolved(value) || !Array.isArray(value)) return [unresolvedValue(field)];
  if (value.includes(unrestricted)) return [`its \`${field}\` are "${unrestricted}". List them.`];
  const others = value.filter((item) => !isAllowed(String(item)));
  return others.length === 0 ? [] : [`its \`${field}\` include entries that are not allowed: ${others.join(', ')}.`];
}

const isRequired = (list: boolean | readonly string[]): boolean => list !== false;

function isWithin(ranges: readonly string[], item: string): boolean {
  const parsed = parseIpRule(item);
  return parsed.ok && isRuleWithin(parsed.rule, ranges);
}

/** Requires every key to list its models, its addresses, or both. */
export class RequireAllowlist extends Guardrail {
  readonly #models: boolean | readonly string[];
  readonly #addresses: boolean | readonly string[];

  /** @throws Error when a range is invalid */
  public constructor(props: RequireAllowlistProps = {}) {
    super(props, ['models', 'addresses']);
    for (const [name, list] of Object.entries({ models: props.models, addresses: props.addresses })) {
      if (list !== undefined && typeof list !== 'boolean' && !Array.isArray(list)) {
        throw this.refusal(`\`${name}\` must be true, false or a list.`);
      }
    }
    this.#models = props.models ?? true;
    this.#addresses = props.addresses ?? false;
    const ranges = typeof this.#addresses === 'boolean' ? [] : this.#addresses;
    const [error] = ranges.length === 0 ? [] : parseValue(KEY_FIELDS.allowIps, ranges).diagnostics.filter(isError);
    if (error) throw this.refusal(errorText('addresses', error));
  }

  protected override problems(key: KeyAttributes): readonly string[] {
    const { models, allow_ips: addresses } = key;
    const [known, ranges] = [this.#models, this.#addresses];
    const isKnown = (model: string): boolean => typeof known === 'boolean' || known.includes(model);
    const isNear = (rule: string): boolean => typeof ranges === 'boolean' || isWithin(ranges, rule);
    return [
      ...(isRequired(known) && isIgnored(key, 'models') ? [ignoredChanges('models')] : []),
      ...(isRequired(ranges) && isIgnored(key, 'allow_ips') ? [ignoredChanges('allowIps')] : []),
      ...(isRequired(known) ? listViolations({ field: 'models', value: models, isAllowed: isKnown }) : []),
      ...(isRequired(ranges) ? listViolations({ field: 'allowIps', value: addresses, isAllowed: isNear }) : []),
    ];
  }
}
