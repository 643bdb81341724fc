import { toText } from './conversion.ts';
import { callFunction } from './functions.ts';
import { Reader } from './reader.ts';
import { evaluateTemplate } from './template.ts';
import { invalid, notEvaluated, Unresolved } from './unresolved.ts';
import {
  isList,
  isNumber,
  isObject,
  isResource,
  isUnknown,
  known,
  listValue,
  numberFrom,
  objectValue,
  textValue,
  tryWhole,
  typeName,
  type Value,
} from './value.ts';

/** Resolves the references of an expression. */
export interface Scope {
  /** The value that a root and the first keys refer to, and how many keys that took. @throws Unresolved */
  readonly lookUp: (root: string, keys: readonly Value[]) => { readonly value: Value; readonly taken: number };
}

const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*(?:::[\p{ID_Start}_][\p{ID_Continue}-]*)*/uy;
const NUMBER = /-?[ \t]*\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const OPERATOR = /\|\||&&|[=!<>]=|[<>+\-*/%!?]/y;
const FOR = /for\s/y;

const WORDS: ReadonlyMap<string, null | boolean> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function itemAt(items: readonly Value[], key: Value): Value {
  const index = isNumber(key) ? tryWhole(key) : typeof key === 'string' && /^\d+$/.test(key) ? BigInt(key) : undefined;
  const item = index !== undefined && index >= 0n ? items[Number(index)] : undefined;
  if (item === undefined) throw new Unresolved(`The list has no item \`${toText(key)}\`.`);
  return item;
}

function access(value: Value, key: Value): Value {
  if (isUnknown(value)) return value;
  if (isResource(value)) return value.attribute(toText(key));
  if (isList(value) && value.form !== 'set') return itemAt(value.items, key);
  if (!isObject(value)) throw new Unresolved(`Terraform cannot access an element of ${typeName(value)}.`);
  const member = value.members.get(toText(key));
  if (member === undefined) throw new Unresolved(`The map has no element ${JSON.stringify(toText(key))}.`);
  return member;
}

/** Evaluates expressions while it reads them, because nothing in them is conditional. */
class Evaluator {
  readonly reader: Reader;
  readonly scope: Scope;
  constructor(text: string, scope: Scope) {
    this.reader = new Reader(text);
    this.scope = scope;
  }

  template(isQuoted: boolean): Value {
    return evaluateTemplate(this.reader, isQuoted, () => this.expression());
  }

  expression(): Value {
    return this.reader.nested(() => {
      const term = this.term();
      const value = this.keys().reduce(access, term);
      const operator = this.reader.sees(OPERATOR);
      if (operator) throw notEvaluated(operator === '?' ? 'a condition `… ? … : …`' : `the operator \`${operator}\``);
      return value;
    });
  }

  private term(): Value {
    const { reader } = this;
    if (reader.tryTake('(')) {
      const inner = this.expression();
      reader.take(')');
      return inner;
    }
    if (reader.tryTake('[')) {
      if (reader.sees(FOR)) throw notEvaluated('a `for` expression');
      return listValue(this.items(']'));
    }
    if (reader.tryTake('{')) return this.object();
    if (reader.tryTake('"')) return this.template(true);
    if (reader.sees('<<')) throw notEvaluated('a heredoc `<<`');
    reader.skipBlank();
    const number = reader.tryMatch(NUMBER);
    if (number !== undefined) return numberFrom(number.replace(/[ \t]/g, ''));
    const name = reader.tryMatch(NAME);
    if (name !== undefined) return this.named(name);
    const operator = reader.sees(OPERATOR);
    if (operator) throw notEvaluated(`the operator \`${operator}\``);
    throw invalid(reader.isAtEnd ? 'it ends too early' : `expected a value, got \`${reader.text[reader.at]}\``);
  }

  private named(name: string): Value {
    const word = WORDS.get(name);
    if (word !== undefined) return word;
    if (this.reader.tryTake('(')) return callFunction(name, this.items(')'));
    if (name === 'TfToken') throw new Unresolved('The CDK did not resolve one of its tokens.');
    if (name.includes('::')) throw invalid(`\`${name}\` is not a name`);
    const keys = this.keys();
    const { value, taken } = this.scope.lookUp(name, keys);
    return keys.slice(taken).reduce(access, value);
  }

  /** Reads steps into a value: `.name`, `["name"]`, `[0]`. */
  private keys(): readonly Value[] {
    const keys: Value[] = [];
    for (let key = this.tryKey(); key !== undefined; key = this.tryKey()) keys.push(key);
    return keys;
  }

  private tryKey(): Value | undefined {
    const { reader } = this;
    if (reader.sees('...')) return undefined;
    if (reader.tryTake('[')) {
      if (reader.sees('*')) throw notEvaluated('a splat `[*]`');
      const key = known(this.expression());
      reader.take(']');
      return key;
    }
    if (!reader.tryTake('.')) return undefined;
    if (reader.sees('*')) throw notEvaluated('a splat `.*`');
    reader.skipBlank();
    const index = reader.tryMatch(/\d+/y);
    const key = index === undefined ? reader.tryMatch(NAME) : numberFrom(index);
    if (key === undefined) throw invalid('a name is missing after `.`');
    return key;
  }

  /** Reads items up to a closing bracket, separated by commas. */
  private items(close: string): readonly Value[] {
    const { reader } = this;
    const items: Value[] = [];
    while (!reader.tryTake(close)) {
      items.push(this.expression());
      if (reader.sees('...')) throw notEvaluated('an expansion `...`');
      if (!reader.sees(close)) reader.take(',');
    }
    return items;
  }

  private object(): Value {
    const { reader } = this;
    if (reader.sees(FOR)) throw notEvaluated('a `for` expression');
    const members = new Map<string, Value>();
    while (!reader.tryTake('}')) {
      const name = this.memberName();
      if (!reader.tryTake('=')) reader.take(':');
      // Of two equal names Terraform uses the last one.
      members.set(name, this.expression());
      const isNextLine = reader.skipBlank().includes('\n');
      if (!reader.tryTake(',') && !isNextLine && !reader.sees('}')) throw invalid('`}` is missing');
    }
    return objectValue(members);
  }

  private memberName(): string {
    const { reader } = this;
    reader.skipBlank();
    const start = reader.at;
    const name = reader.tryMatch(NAME);
    if (name !== undefined && (reader.sees('=') || reader.sees(':'))) return name;
    reader.at = start;
    return toText(this.expression());
  }
}

/**
 * Evaluates a string of Terraform JSON, which is a template such as `prod-${each.key}`, exactly as Terraform does.
 *
 * Pure. A reference to a value that only Terraform knows evaluates to an unknown value.
 *
 * @throws Unresolved for what could differ from Terraform
 */
export const evaluate = (template: string, scope: Scope): Value =>
  new Evaluator(textValue(template), scope).template(false);
