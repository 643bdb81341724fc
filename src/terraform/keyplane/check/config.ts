import {
  ASSERTIONS,
  type CheckIssue,
  type CheckModule,
  type CheckSpec,
  type Decimal,
  type Json,
  renderCheckIssue,
  tryParseDecimal,
  tryParseDuration,
} from '../../../domain/index.ts';
import {
  isObject,
  numberText,
  type TerraformNumber,
  type TerraformObject,
  type TerraformValue,
} from '../../codec/value.ts';
import type { PathStep } from '../../codec/value-error.ts';
import { type DiagnosticContent, DiagnosticError } from '../../provider/diagnostics.ts';
import { decodeAssertions, LEDGER } from './schema.ts';

/** A check of the key with this ID. */
export interface CheckConfig {
  readonly keyId: TerraformValue;
  readonly spec: CheckSpec;
  readonly costly: boolean;
  /** Dollars. */
  readonly cap: Decimal | undefined;
  readonly ledger: string;
}

const textOf = (value: TerraformValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Reads arguments that are valid by their schema. */
export function parseCheckConfig(config: TerraformObject): CheckConfig {
  const { key_id: keyId = null, max_cost_usd: most = null, retries, expect = null } = config;
  const module = config.module as CheckModule;
  const [model, family, request] = [textOf(config.model), textOf(config.family), textOf(config.request)];
  const seconds = tryParseDuration(textOf(config.timeout) ?? '');
  const spec: CheckSpec = {
    name: module,
    module,
    ...(model === undefined ? {} : { model }),
    ...(family === undefined ? {} : { family }),
    request: request === undefined ? {} : (JSON.parse(request) as { [field: string]: Json }),
    expect: isObject(expect) ? decodeAssertions(expect) : {},
    retries: Number(retries ?? 0),
    ...(seconds === undefined ? {} : { timeoutMs: seconds * 1000 }),
    folder: '.',
  };
  return {
    keyId,
    spec,
    costly: config.costly === true,
    cap: most === null ? undefined : tryParseDecimal(numberText(most as TerraformNumber)),
    ledger: textOf(config.ledger) ?? LEDGER,
  };
}

const ATTRIBUTES: ReadonlyMap<string, string> = new Map(
  Object.entries(ASSERTIONS).map(([name, { terraform }]) => [name, terraform]),
);

const attributeOf = (field: string): string => ATTRIBUTES.get(field) ?? field;

/** The path of an argument: the request is a single string, and assertions have other names than in a manifest. */
function argumentPath([first, second]: CheckIssue['path']): PathStep[] {
  if (first !== 'expect' || second === undefined) return [String(first)];
  return ['expect', attributeOf(String(second))];
}

function errorOf(issue: CheckIssue): DiagnosticContent {
  const { path } = issue;
  const argument = argumentPath(path);
  const within = path[0] === 'request' ? path.slice(1).join('.') : '';
  const field = within === '' ? argument.at(-1) : `request.${within}`;
  return { summary: `\`${field}\` ${renderCheckIssue(issue, attributeOf)}`, path: argument };
}

/** @throws DiagnosticError with every issue, at its argument */
export function throwIssues(issues: readonly CheckIssue[]): void {
  if (issues.length > 0) throw new DiagnosticError(...issues.map(errorOf));
}
