import {
  ASSERTIONS,
  type CheckIssue,
  type CheckModule,
  type CheckSpec,
  type Decimal,
  type Json,
  tryParseDecimal,
  tryParseDuration,
} from '../../../domain/index.ts';
import { isObject, type NumberValue, numberText, type ObjectValue, type Value } from '../../codec/value.ts';
import type { PathStep } from '../../codec/value-error.ts';
import { type Diagnostic, DiagnosticError } from '../../provider/diagnostics.ts';
import { decodeAssertions, LEDGER } from './schema.ts';

/** What is to be proven, of the key with this id. */
export interface Wish {
  readonly keyId: Value;
  readonly spec: CheckSpec;
  readonly costly: boolean;
  /** Dollars. */
  readonly cap: Decimal | undefined;
  readonly ledger: string;
}

const textOf = (value: Value | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** The schema has judged each argument by itself already. */
export function wishOf(config: ObjectValue): Wish {
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
    cap: most === null ? undefined : tryParseDecimal(numberText(most as NumberValue)),
    ledger: textOf(config.ledger) ?? LEDGER,
  };
}

const ASSERTION_NAMES_HERE: ReadonlyMap<string, string> = new Map(
  Object.entries(ASSERTIONS).map(([name, { terraform }]) => [name, terraform]),
);

const nameHere = (field: string): string => ASSERTION_NAMES_HERE.get(field) ?? field;

/** A path of a definition as one of the arguments: the request is one text here, and expectations have other names. */
function pathHere([first, second]: CheckIssue['path']): PathStep[] {
  if (first !== 'expect' || second === undefined) return [String(first)];
  return ['expect', nameHere(String(second))];
}

function remarkOf({ path, message }: CheckIssue): Omit<Diagnostic, 'severity'> {
  const here = pathHere(path);
  const within = path[0] === 'request' ? path.slice(1).join('.') : '';
  const field = within === '' ? here.at(-1) : `request.${within}`;
  // Lists of expectations are told by the names that they have in a manifest.
  const said = message.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, nameHere);
  return { summary: `\`${field}\` ${said}`, path: here };
}

/** @throws DiagnosticError with each of them, at its argument */
export function refuseIssues(issues: readonly CheckIssue[]): void {
  if (issues.length > 0) throw new DiagnosticError(...issues.map(remarkOf));
}
