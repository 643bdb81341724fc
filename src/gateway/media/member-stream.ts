/** A part of a string in a JSON text, as it arrives. */
export interface MemberPart {
  readonly member: string;
  /** Unescaped. */
  readonly text: string;
  /** The last part of its member. */
  readonly last: boolean;
}

/** Reads a JSON text in which some members are too long to keep in memory. */
export interface MemberStream {
  /** Takes the next bytes of the text, split anywhere; returns the parts of long members in them. */
  feed(chunk: Uint8Array): readonly MemberPart[];
  /** The text so far with the long members empty. */
  rest(): string;
  /** The length of `rest()` in bytes. */
  restLength(): number;
  /** The text ended in the middle of a string. */
  isTruncated(): boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LOWER_U = 0x75;
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** No name of a long member is longer. */
const LONGEST_NAME = 64;

interface Lexer {
  readonly members: ReadonlySet<string>;
  readonly rest: number[];
  mode: 'plain' | 'string' | 'long';
  /** The last string, as far as it could be a name. */
  name: string;
  /** The last character other than white space was a colon: a value follows. */
  afterColon: boolean;
  /** An incomplete escape sequence, from its backslash. */
  escape: string;
}

/** @param members the names of the long members, at any depth. */
export function openMemberStream(members: readonly string[]): MemberStream {
  const lexer: Lexer = {
    members: new Set(members),
    rest: [],
    mode: 'plain',
    name: '',
    afterColon: false,
    escape: '',
  };
  return {
    feed(chunk) {
      const parts: MemberPart[] = [];
      for (let at = 0; at < chunk.length; ) {
        if (lexer.mode === 'long') at = takeLong(lexer, { chunk, at, parts });
        else {
          takeByte(lexer, chunk[at] ?? 0);
          at += 1;
        }
      }
      return parts;
    },
    rest: () => Buffer.from(lexer.rest).toString('utf8'),
    restLength: () => lexer.rest.length,
    isTruncated: () => lexer.mode !== 'plain',
  };
}

/** Reads one byte outside a long member. */
function takeByte(lexer: Lexer, byte: number): void {
  lexer.rest.push(byte);
  if (lexer.mode === 'plain') {
    if (byte === QUOTE) {
      lexer.mode = lexer.afterColon && lexer.members.has(lexer.name) ? 'long' : 'string';
      if (lexer.mode === 'string') lexer.name = '';
    }
    if (!isBlank(byte)) lexer.afterColon = byte === COLON;
    return;
  }
  if (lexer.escape !== '') lexer.escape = '';
  else if (byte === BACKSLASH) lexer.escape = '\\';
  else if (byte === QUOTE) lexer.mode = 'plain';
  if (lexer.mode === 'string' && lexer.name.length < LONGEST_NAME) lexer.name += String.fromCharCode(byte);
}

/** Reads as much of a long member as is contiguous; returns the position after it. */
function takeLong(lexer: Lexer, { chunk, at, parts }: { chunk: Uint8Array; at: number; parts: MemberPart[] }): number {
  const byte = chunk[at] ?? 0;
  const give = (text: string, last = false) => parts.push({ member: lexer.name, text, last });
  if (lexer.escape !== '' || byte === BACKSLASH) {
    lexer.escape += String.fromCharCode(byte);
    const length = lexer.escape.charCodeAt(1) === LOWER_U ? 6 : 2;
    if (lexer.escape.length === length) {
      give(unescaped(lexer.escape));
      lexer.escape = '';
    }
    return at + 1;
  }
  if (byte === QUOTE) {
    lexer.rest.push(QUOTE);
    lexer.mode = 'plain';
    give('', true);
    return at + 1;
  }
  const ends = [chunk.indexOf(QUOTE, at), chunk.indexOf(BACKSLASH, at)].filter((place) => place >= 0);
  const end = Math.min(chunk.length, ...ends);
  give(Buffer.from(chunk.buffer, chunk.byteOffset + at, end - at).toString('latin1'));
  return end;
}

/** Returns an invalid escape sequence unchanged; it is not Base64 either. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}
