import type { CST } from 'yaml';

interface TokenAtDepth {
  readonly token: CST.Token;
  readonly depth: number;
}

/** Walks the tokens of a text, without recursion: the composer recurses and would overflow the stack. */
export function* walk(tokens: readonly CST.Token[]): Generator<TokenAtDepth> {
  const open: { token: CST.Token | null | undefined; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (!token) continue;
    yield { token, depth };
    if (token.type === 'document') open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const item of token.items) {
      open.push({ token: item.key, depth: depth + 1 }, { token: item.value, depth: depth + 1 });
    }
  }
}

/** Measures how deep collections nest. */
export function depthOf(tokens: readonly CST.Token[]): { depth: number; offset: number } {
  let deepest = { depth: 0, offset: 0 };
  for (const { token, depth } of walk(tokens)) {
    if (depth > deepest.depth) deepest = { depth, offset: 'offset' in token ? token.offset : 0 };
  }
  return deepest;
}

/** A scalar as it is in the text, with its quotes. */
export interface ScalarToken {
  readonly offset: number;
  readonly source: string;
  readonly quote: '"' | "'" | undefined;
}

const QUOTES: Readonly<Record<string, ScalarToken['quote']>> = {
  'double-quoted-scalar': '"',
  'single-quoted-scalar': "'",
};

export function scalarsOf(tokens: readonly CST.Token[]): readonly ScalarToken[] {
  const scalars: ScalarToken[] = [];
  for (const { token } of walk(tokens)) {
    const { type } = token;
    if (type !== 'scalar' && type !== 'double-quoted-scalar' && type !== 'single-quoted-scalar') continue;
    scalars.push({ offset: token.offset, source: token.source, quote: QUOTES[type] });
  }
  return scalars;
}
