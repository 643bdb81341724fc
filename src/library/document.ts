import { Fault, MOST_LEVELS } from '../domain/index.ts';

type Path = readonly (string | number)[];

/** Renders a path, such as `keys.prod-a.allowIps[0]`. */
const renderPath = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const name = /^[\w~*-]+$/.test(step) ? step : JSON.stringify(step);
    return text === '' ? name : `${text}.${name}`;
  }, '') || 'the manifest';

/** An object as the text of a manifest. */
export interface Documented {
  readonly text: string;
  /** Returns the path of the member that a line of the text holds. */
  readonly pathAt: (line: number) => string;
}

interface Line {
  readonly text: string;
  readonly path: Path;
}

/** The scalars that JSON has, and the reasons why others cannot be declared: JSON would drop or change them in silence. */
function scalarOf(value: unknown, path: Path): string {
  const refuse = (why: string): never => {
    throw new Fault('manifest.invalid', `The manifest is invalid:\n- ${renderPath(path)}: ${why}`);
  };
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return refuse('The date is invalid.');
    // Gateways keep whole seconds.
    return JSON.stringify(value.toISOString().replace(/\.\d+Z$/, 'Z'));
  }
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'bigint':
      return value.toString();
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : refuse(`${value} is not a number that can be declared.`);
    case 'object':
      return value === null ? 'null' : refuse(`An object of the class ${value.constructor.name} cannot be declared.`);
    default:
      return refuse(`A value of the type ${typeof value} cannot be declared.`);
  }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Also an object of another realm, as test runners have them.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The members of a list or of an object; undefined for a scalar. Members that are undefined are not there. */
function membersOf(value: unknown): readonly (readonly [string | number, unknown])[] | undefined {
  if (Array.isArray(value)) return Array.from(value, (item, index) => [index, item] as const);
  if (!isPlain(value)) return undefined;
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/**
 * Prints an object as a manifest, one member a line.
 *
 * @throws Fault `manifest.invalid` for a value that no text can hold, such as a function, or an object that contains itself
 */
export function documentOf(document: object): Documented {
  const lines = linesOf(document, [], { before: '', after: '' });
  return {
    text: `${lines.map(({ text }) => text).join('\n')}\n`,
    pathAt: (line) => renderPath(lines[line - 1]?.path ?? []),
  };
}

interface LineContext {
  /** The indentation and the name. */
  readonly before: string;
  readonly after: string;
  readonly above?: readonly unknown[];
}

function linesOf(value: unknown, path: Path, { before, after, above = [] }: LineContext): readonly Line[] {
  const members = membersOf(value);
  if (members === undefined) return [{ text: `${before}${scalarOf(value, path)}${after}`, path }];
  if (above.includes(value)) {
    const message = `The manifest is invalid:\n- ${renderPath(path)}: The object contains itself.`;
    throw new Fault('manifest.invalid', message);
  }
  if (path.length >= MOST_LEVELS) {
    const message = `The manifest is invalid:\n- ${renderPath(path.slice(0, 1))}: The object nests more than ${MOST_LEVELS} levels deep.`;
    throw new Fault('manifest.invalid', message);
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const indent = '  '.repeat(path.length);
  const inside = members.flatMap(([name, member], at) => {
    const label = typeof name === 'string' ? `${JSON.stringify(name)}: ` : '';
    const around = { before: `${indent}  ${label}`, after: at < members.length - 1 ? ',' : '' };
    return linesOf(member, [...path, name], { ...around, above: [...above, value] });
  });
  if (inside.length === 0) return [{ text: `${before}${open}${close}${after}`, path }];
  return [{ text: `${before}${open}`, path }, ...inside, { text: `${indent}${close}${after}`, path }];
}
