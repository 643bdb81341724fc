import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** One property of an interface, as people read it in their editor. */
export interface Prop {
  readonly name: string;
  readonly isOptional: boolean;
  /** Its docstring on one line; empty when it has none. */
  readonly docs: string;
}

interface Member {
  readonly type: string;
  readonly start: number;
  readonly optional: boolean;
  readonly key: { readonly name?: string };
}

interface Declaration {
  readonly type: string;
  readonly id?: { readonly name: string };
  readonly body?: { readonly body: readonly Member[] };
}

const onOneLine = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*/, '').trim())
    .join(' ')
    .trim();

/** The properties of every interface in a file, in order. */
export function interfacesIn(path: string): ReadonlyMap<string, readonly Prop[]> {
  const text = readFileSync(path, 'utf8');
  const { program, comments } = parseSync(path, text);
  const docsBefore = (start: number): string => {
    const above = comments.filter(({ end }) => end <= start).at(-1);
    if (!above?.value.startsWith('*') || text.slice(above.end, start).trim() !== '') return '';
    return onOneLine(above.value);
  };
  const declared = (program.body as unknown as readonly { declaration?: Declaration }[]).map(
    (statement) => statement.declaration ?? (statement as Declaration),
  );
  return new Map(
    declared
      .filter(({ type }) => type === 'TSInterfaceDeclaration')
      .map(({ id, body }) => [
        id?.name ?? '',
        (body?.body ?? [])
          .filter(({ type }) => type === 'TSPropertySignature')
          .map(({ key, optional, start }) => ({ name: key.name ?? '', isOptional: optional, docs: docsBefore(start) })),
      ]),
  );
}
