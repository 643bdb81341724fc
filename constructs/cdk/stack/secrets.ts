import { isRecord } from '../values/shape.ts';

/** The type of the ephemeral resource that reads the credential of a key. */
export const EPHEMERAL_SECRET = 'keyplane_api_key_secret';

const SECRET = new RegExp(String.raw`(?<![\w.-])ephemeral\.${EPHEMERAL_SECRET}\.`);

/** A reference to a local value, with the steps into it. */
const LOCAL = /(?<![\w.-])local\.([\w-]+)((?:\.[A-Za-z_][\w-]*|\["[^"\\]*"\]|\[[^\]"]*\]|\.\*)*)/g;
const STEP = /\.([A-Za-z_][\w-]*)|\["([^"\\]*)"\]|\[(\d+)\]|\[\*\]|\.\*|\[[^\]]*\]/g;

/** A text that is one reference to a value, of which there may be more steps. */
const ONE_REFERENCE = /^\$\{\s*((?:local|ephemeral)\.[\w-]+(?:\.[A-Za-z_][\w-]*|\["[^"\\]*"\]|\[\d+\])*)\s*\}$/;

/** Calls whose result holds nothing of the secrets in their arguments. */
const HARMLESS = /\b(?:ephemeralasnull|issensitive|length|keys)\(/;

/** Strings within an expression, unless they are an index. */
const STRINGS = /(?<!\[)"(?:[^"\\$%]|\\.)*"/g;

/** Finds the end of a bracket that opens there, or the end of the text. */
function endOf(text: string, from: number, [open, close]: readonly [string, string]): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    if (text[at] === close) depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** The expressions that Terraform fills in: what it escapes is text. */
function expressionsIn(text: string): readonly string[] {
  const begin = /(?<![$%])[$%]\{/.exec(text);
  if (begin === null) return [];
  const from = begin.index + 1;
  const end = endOf(text, from, ['{', '}']);
  return [text.slice(from + 1, end), ...expressionsIn(text.slice(end + 1))];
}

function withoutHarmless(expression: string): string {
  const call = HARMLESS.exec(expression);
  if (call === null) return expression;
  const end = endOf(expression, call.index + call[0].length - 1, ['(', ')']);
  return expression.slice(0, call.index) + withoutHarmless(expression.slice(end + 1));
}

/** The parts of a value that steps lead to. None: only Terraform knows them. */
function partsAt(value: unknown, steps: readonly RegExpExecArray[]): readonly unknown[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [value];
  const [text, name = step[2], , index] = step;
  if (typeof value === 'string') {
    const [, reference] = ONE_REFERENCE.exec(value) ?? [];
    return reference === undefined ? [] : [`\${${reference}${steps.map(([each]) => each).join('')}}`];
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = text === '[*]' || text === '.*' ? value : [value[Number(index)]];
    return items.flatMap((item) => partsAt(item, rest));
  }
  return isRecord(value) && name !== undefined && Object.hasOwn(value, name) ? partsAt(value[name], rest) : [];
}

/** Returns a test of a value for the secret of a key, by the local values of its stack. */
function openSecretTest(locals: Readonly<Record<string, unknown>>): (value: unknown) => boolean {
  const known = new Map<string, boolean>();
  const isSecretReference = (reference: RegExpExecArray, isWhole: boolean): boolean => {
    const [text, name = '', path = ''] = reference;
    const parts = partsAt(locals[name], [...path.matchAll(STEP)]);
    const mark = `${text} ${isWhole}`;
    const before = known.get(mark);
    if (before !== undefined) return before;
    // A value that refers to itself, which Terraform rejects.
    known.set(mark, false);
    // A function may take what is not secret out of a list or an object.
    const result = parts.some((part) => (isWhole || typeof part === 'string') && isSecret(part));
    known.set(mark, result);
    return result;
  };
  const isSecretExpression = (expression: string): boolean => {
    const read = withoutHarmless(expression.replaceAll(STRINGS, '""'));
    const isWhole = ([text]: RegExpExecArray): boolean => text === read.trim();
    return SECRET.test(read) || [...read.matchAll(LOCAL)].some((each) => isSecretReference(each, isWhole(each)));
  };
  const isSecret = (value: unknown): boolean => {
    if (typeof value === 'string') return expressionsIn(value).some(isSecretExpression);
    if (Array.isArray(value)) return value.some(isSecret);
    return isRecord(value) && Object.values(value).some(isSecret);
  };
  return isSecret;
}

const outputValue = (output: unknown): unknown => (isRecord(output) ? output.value : undefined);

/**
 * Finds outputs with the secret of a key, also one that they get from local values. The outputs of a stack are stored, and Terraform
 * rejects such a value.
 */
export function outputsOfSecrets(
  outputs: Readonly<Record<string, unknown>>,
  locals: Readonly<Record<string, unknown>>,
): readonly string[] {
  const isSecret = openSecretTest(locals);
  return Object.entries(outputs)
    .filter(([, output]) => isSecret(outputValue(output)))
    .map(
      ([name]) =>
        `The output ${JSON.stringify(name)} would store the secret of a key. Pass the secret to a write-only argument, or to the configuration of a provider.`,
    );
}
