import {
  type Cursor,
  cursorAt,
  deeper,
  isAtEnd,
  sees,
  skipBlank,
  take,
  tryMatch,
  tryTake,
  unreadable,
} from './cursor.ts';
import type { BinaryOperator, Expression, Step } from './expression.ts';
import { Refused } from './refused.ts';
import { readTemplate } from './template.ts';
import { numberFrom, textValue, type Value } from './value.ts';

const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*(?:::[\p{ID_Start}_][\p{ID_Continue}-]*)*/uy;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const CHAIN_LIMIT = 100;

/** From the weakest. A longer sign stands before its own beginning. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/', '%'],
];

const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const notWorkedOut = (what: string): Refused => new Refused(`${what} is not worked out.`);

/** Items up to a closing sign, with commas between them. */
function readItems(cursor: Cursor, close: string): readonly Expression[] {
  const items: Expression[] = [];
  while (!tryTake(cursor, close)) {
    items.push(readExpression(cursor));
    if (sees(cursor, '...')) throw notWorkedOut('An expansion `...`');
    if (!sees(cursor, close)) take(cursor, ',');
  }
  return items;
}

function refuseFor(cursor: Cursor): void {
  skipBlank(cursor);
  if (/^for\s/.test(cursor.text.slice(cursor.at, cursor.at + 4))) throw notWorkedOut('A `for` expression');
}

function readMemberName(cursor: Cursor): Expression {
  skipBlank(cursor);
  const start = cursor.at;
  const name = tryMatch(cursor, NAME);
  if (name !== undefined && (sees(cursor, '=') || sees(cursor, ':'))) return { kind: 'literal', value: name };
  cursor.at = start;
  return readExpression(cursor);
}

function readFields(cursor: Cursor): Expression {
  const members: (readonly [Expression, Expression])[] = [];
  refuseFor(cursor);
  while (!tryTake(cursor, '}')) {
    const name = readMemberName(cursor);
    if (!tryTake(cursor, '=')) take(cursor, ':');
    members.push([name, readExpression(cursor)]);
    const isNextLine = skipBlank(cursor).includes('\n');
    if (!tryTake(cursor, ',') && !isNextLine && !sees(cursor, '}')) throw unreadable('`}` is missing');
  }
  return { kind: 'fields', members };
}

function readStep(cursor: Cursor): Step | undefined {
  if (sees(cursor, '...')) return undefined;
  if (tryTake(cursor, '[')) {
    if (tryTake(cursor, '*')) throw notWorkedOut('A splat `[*]`');
    const index = readExpression(cursor);
    take(cursor, ']');
    return { index };
  }
  if (!tryTake(cursor, '.')) return undefined;
  if (tryTake(cursor, '*')) throw notWorkedOut('A splat `.*`');
  skipBlank(cursor);
  const name = tryMatch(cursor, NAME);
  if (name !== undefined) return { name };
  const index = tryMatch(cursor, /\d+/y);
  if (index === undefined) throw unreadable('a name is missing after `.`');
  return { index: { kind: 'literal', value: numberFrom(index) } };
}

function readSteps(cursor: Cursor): readonly Step[] {
  const steps: Step[] = [];
  for (let step = readStep(cursor); step; step = readStep(cursor)) steps.push(step);
  return steps;
}

function readNamed(cursor: Cursor, name: string): Expression {
  const word = WORDS.get(name);
  if (word !== undefined) return { kind: 'literal', value: word };
  if (tryTake(cursor, '(')) return { kind: 'call', name, args: readItems(cursor, ')') };
  if (name === 'TfToken') throw new Refused('A token of the CDK was not resolved when it was synthesized.');
  if (name.includes('::')) throw unreadable(`\`${name}\` is no name`);
  return { kind: 'reference', root: name, steps: readSteps(cursor) };
}

function readTerm(cursor: Cursor): Expression {
  skipBlank(cursor);
  if (tryTake(cursor, '(')) {
    const inner = readExpression(cursor);
    take(cursor, ')');
    return inner;
  }
  if (tryTake(cursor, '[')) {
    refuseFor(cursor);
    return { kind: 'list', items: readItems(cursor, ']') };
  }
  if (tryTake(cursor, '{')) return readFields(cursor);
  if (tryTake(cursor, '"')) return readTemplate(cursor, true, readExpression);
  if (sees(cursor, '<<')) throw notWorkedOut('A text between markers `<<`');
  const number = tryMatch(cursor, NUMBER);
  if (number !== undefined) return { kind: 'literal', value: numberFrom(number) };
  const name = tryMatch(cursor, NAME);
  if (name !== undefined) return readNamed(cursor, name);
  throw unreadable(isAtEnd(cursor) ? 'it ends too early' : `\`${cursor.text[cursor.at]}\` stands where a value should`);
}

function readUnary(cursor: Cursor): Expression {
  for (const operator of ['!', '-'] as const) {
    if (tryTake(cursor, operator)) return { kind: 'unary', operator, of: deeper(cursor, () => readUnary(cursor)) };
  }
  const of = readTerm(cursor);
  const steps = readSteps(cursor);
  return steps.length === 0 ? of : { kind: 'access', of, steps };
}

function readBinary(cursor: Cursor, level: number): Expression {
  const operators = LEVELS[level];
  if (!operators) return readUnary(cursor);
  let left = readBinary(cursor, level + 1);
  for (let length = 0; ; length += 1) {
    if (length > CHAIN_LIMIT) throw unreadable(`more than ${CHAIN_LIMIT} operators stand in a row`);
    const operator = operators.find((sign) => tryTake(cursor, sign));
    if (!operator) return left;
    left = { kind: 'binary', operator, left, right: readBinary(cursor, level + 1) };
  }
}

function readExpression(cursor: Cursor): Expression {
  return deeper(cursor, () => {
    const of = readBinary(cursor, 0);
    if (!tryTake(cursor, '?')) return of;
    const yes = readExpression(cursor);
    take(cursor, ':');
    return { kind: 'choice', of, yes, no: readExpression(cursor) };
  });
}

/**
 * Reads a text of Terraform JSON, which is a template: `prod-${each.key}`.
 *
 * @throws Refused when it can not be read, or holds something that is never worked out
 */
export const parseTemplate = (text: string): Expression =>
  readTemplate(cursorAt(textValue(text)), false, readExpression);

/** Reads an address, which may stand there plainly: `keyplane_api_key.app["x"]`. @throws Refused */
export function parseAddress(text: string): Expression {
  if (text.includes('${')) return parseTemplate(text);
  const cursor = cursorAt(text);
  const expression = readExpression(cursor);
  skipBlank(cursor);
  if (!isAtEnd(cursor)) throw unreadable('something stands after it');
  return expression;
}
