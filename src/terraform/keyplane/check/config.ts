import {
  ASSERTIONS,
  type CheckDiagnostic,
  type CheckModule,
  type CheckSpec,
  type Decimal,
  type DiagnosticPath,
  type Json,
  renderCheckMessage,
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
    trustsPaths: true,
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
function argumentPath([first, second]: DiagnosticPath): PathStep[] {
  if (first !== 'expect' || second === undefined) return [String(first)];
  return ['expect', attributeOf(String(second))];
}

function errorOf(error: CheckDiagnostic): DiagnosticContent {
  const { path } = error;
  const argument = argumentPath(path);
  const within = path[0] === 'request' ? path.slice(1).join('.') : '';
  const field = within === '' ? argument.at(-1) : `request.${within}`;
  return {
    summary: `\`${field}\` ${renderCheckMessage(error, attributeOf)}`,
    path: argument,
    ...(argument.length > 1 ? { isInBlock: true as const } : {}),
  };
}

/** @throws DiagnosticError with every error, at its argument */
export function throwErrors(errors: readonly CheckDiagnostic[]): void {
  if (errors.length > 0) throw new DiagnosticError(...errors.map(errorOf));
}
