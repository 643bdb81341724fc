/** A part of a string in a JSON text, as it comes. */
export interface MemberPart {
  readonly member: string;
  /** Its escapes are undone. */
  readonly text: string;
  /** Nothing follows. */
  readonly last: boolean;
}

/** Reads a JSON text in which some members are too long to be held. */
export interface MemberStream {
  /** The next bytes of the text, cut anywhere; gives what they hold of the long members. */
  feed(chunk: Uint8Array): readonly MemberPart[];
  /** The text so far with the long members empty. */
  rest(): string;
  /** How many bytes that is. */
  held(): number;
  /** The text has ended in the middle of a string. */
  breaksOff(): boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LOWER_U = 0x75;
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** No name of a member that is waited for is longer. */
const LONGEST_NAME = 64;

interface Lexer {
  readonly members: ReadonlySet<string>;
  readonly rest: number[];
  mode: 'plain' | 'string' | 'long';
  /** The string that was read last, as far as it could be a name. */
  name: string;
  /** The last sign that counts was a colon: a value follows. */
  afterColon: boolean;
  /** An escape under way, from its backslash. */
  escape: string;
}

/** @param members the names of the strings that are handed out instead of held, at any depth. */
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
          takeByte(lexer, chunk[at] as number);
          at += 1;
        }
      }
      return parts;
    },
    rest: () => Buffer.from(lexer.rest).toString('utf8'),
    held: () => lexer.rest.length,
    breaksOff: () => lexer.mode !== 'plain',
  };
}

/** One byte outside of a long member. */
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

/** As much of a long member as comes in one piece; the place after it. */
function takeLong(lexer: Lexer, { chunk, at, parts }: { chunk: Uint8Array; at: number; parts: MemberPart[] }): number {
  const byte = chunk[at] as number;
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

/** What is no escape stays as it is, and is no Base64 either. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}
