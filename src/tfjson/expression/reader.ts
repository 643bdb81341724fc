import { invalid } from './unresolved.ts';

const DEPTH_LIMIT = 100;

const BLANK = /(?:\s+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** A position in the text of an expression. */
export class Reader {
  readonly text: string;
  at = 0;
  private depth = 0;
  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Matches a sticky pattern here and moves past it. */
  tryMatch(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  /** Moves past white space and comments. */
  skipBlank(): string {
    return this.tryMatch(BLANK) ?? '';
  }

  /** Returns what comes next, after white space, if it matches. Does not move. */
  sees(next: string | RegExp): string | undefined {
    const start = this.at;
    this.skipBlank();
    const found = typeof next === 'string' ? this.text.startsWith(next, this.at) && next : this.tryMatch(next);
    this.at = start;
    return found || undefined;
  }

  tryTake(characters: string): boolean {
    if (this.sees(characters) === undefined) return false;
    this.skipBlank();
    this.at += characters.length;
    return true;
  }

  take(characters: string): void {
    if (this.tryTake(characters)) return;
    throw invalid(this.isAtEnd ? 'it ends too early' : `\`${characters}\` is missing`);
  }

  /** Reads one level deeper: unlimited nesting would exhaust the stack. */
  nested<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > DEPTH_LIMIT) throw invalid(`its nesting is deeper than ${DEPTH_LIMIT}`);
    const result = read();
    this.depth -= 1;
    return result;
  }
}
