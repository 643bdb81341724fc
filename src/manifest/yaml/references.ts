import { statSync } from 'node:fs';
import { fileTrouble, type Remedy } from '../../domain/index.ts';
import { confinedFile, OutsideFolder, readRegularFile } from '../../source/index.ts';

/** The environment and the folder that references are resolved in. */
export interface ReferenceContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names that may be referred to. They come from outside the manifest, which may come from a stranger. */
  readonly variables: readonly string[];
  /** Refuse every reference. */
  readonly untrusted: boolean;
  /** The folder that relative paths begin at: that of the manifest file. */
  readonly folder: string;
}

export type Replaced =
  | { readonly ok: true; readonly text: string; readonly replaced: boolean }
  | {
      readonly ok: false;
      readonly code:
        | 'manifest.unset-variable'
        | 'manifest.variable-not-allowed'
        | 'manifest.reference-not-allowed'
        | 'manifest.unreadable-reference'
        | 'manifest.outside-folder';
      readonly message: string;
      readonly expected: string;
      readonly hint: string;
      readonly remedy?: Remedy;
    };

/** Matches `$${` (a literal), a whole reference, or the beginning of an unterminated one. */
const REFERENCE = /\$\$\{|\$\{([^}]*)\}|\$\{/g;
const FILE_LIMIT = 1024 * 1024;
const LITERAL_HINT = 'For a literal `${`, write `$${`.';

class UnresolvedReference extends Error {
  readonly answer: Replaced & { ok: false };
  constructor(answer: Replaced & { ok: false }) {
    super(answer.message);
    this.answer = answer;
  }
}

function unreadable(message: string, hint = LITERAL_HINT): UnresolvedReference {
  const expected = '`${env:NAME}` or `${file:path}`';
  return new UnresolvedReference({ ok: false, code: 'manifest.unreadable-reference', message, expected, hint });
}

function fromEnvironment(name: string, { env, variables }: ReferenceContext): string {
  if (!/^[^\s=]+$/.test(name)) throw unreadable(`\${env:${name}} does not name a variable.`);
  if (!variables.includes(name)) {
    throw new UnresolvedReference({
      ok: false,
      code: 'manifest.variable-not-allowed',
      message: `The manifest may not refer to the environment variable ${name}.`,
      expected: 'a variable that is allowed outside the manifest',
      hint: LITERAL_HINT,
      remedy: 'allow-variable',
    });
  }
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value !== undefined) return value;
  throw new UnresolvedReference({
    ok: false,
    code: 'manifest.unset-variable',
    message: `The environment variable ${name} is not set.`,
    expected: `a value for ${name}`,
    hint: `Set ${name} before running Keyplane. ${LITERAL_HINT}`,
  });
}

function fromFile(path: string, { folder }: ReferenceContext): string {
  if (path.trim() === '') throw unreadable('${file:} does not name a file.');
  try {
    const file = confinedFile(folder, path);
    if (statSync(file).size > FILE_LIMIT)
      throw unreadable(`\${file:${path}} is larger than 1 MiB.`, 'Reference a smaller file.');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readRegularFile(file, FILE_LIMIT));
    return text.replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof UnresolvedReference) throw error;
    const reason = fileTrouble(error);
    if (!(error instanceof OutsideFolder))
      throw unreadable(`Cannot read \${file:${path}}: ${reason}.`, `The folder is ${folder}.`);
    throw new UnresolvedReference({
      ok: false,
      code: 'manifest.outside-folder',
      message: `Cannot read \${file:${path}}: ${reason}.`,
      expected: 'a file in the folder of the manifest, without a dot at the beginning of its name',
      hint: 'Move the file into the folder of the manifest.',
    });
  }
}

/** Advises on a reference in the form of another tool: `GROUP`, `GROUP:-default`, `ENV:GROUP`, `{ env.GROUP `. */
function adviseReference(body: string): string {
  if (/^(var|local|module|data)\./u.test(body))
    return 'Keyplane does not know variables of Terraform: set one of the environment, and write `${env:NAME}`.';
  const [, name, more] = /^\{?\s*(?:(?:env|vars|secrets)[.:])?([A-Za-z_]\w*)\s*(:?[-+?=].*)?$/isu.exec(body) ?? [];
  if (name === undefined) return LITERAL_HINT;
  const none = more === undefined ? '' : 'A reference cannot have a default value. ';
  return `${none}Did you mean \`\${env:${name}}\`? ${LITERAL_HINT}`;
}

/** Advises on a text that is a variable of a shell or a template as a whole. */
export function adviseTemplate(text: string): string | undefined {
  const [, name] = /^\$([A-Za-z_]\w*)$/u.exec(text) ?? [];
  if (name !== undefined) return `Did you mean \`\${env:${name}}\`?`;
  return /^\{\{.*\}\}$/su.test(text)
    ? 'Render the template before Keyplane reads it, or use an environment variable.'
    : undefined;
}

function resolveReference(body: string | undefined, context: ReferenceContext): string {
  if (body === undefined) throw unreadable('The reference has no closing `}`.');
  if (context.untrusted) {
    throw new UnresolvedReference({
      ok: false,
      code: 'manifest.reference-not-allowed',
      message: 'References are not replaced in a manifest that is not trusted.',
      expected: 'the value itself',
      hint: LITERAL_HINT,
    });
  }
  const [, kind, name = ''] = /^([^:]*):(.*)$/s.exec(body) ?? [];
  if (kind === 'env') return fromEnvironment(name, context);
  if (kind === 'file') return fromFile(name, context);
  const whole = body.startsWith('{') ? `\${${body}}}` : `\${${body}}`;
  throw unreadable(`\`${whole}\` is not a reference that Keyplane knows.`, adviseReference(body));
}

/**
 * Replaces `${env:NAME}` and `${file:path}` in a text, once: references in the inserted values are not replaced. `$${`
 * becomes `${`. A newline at the end of a file is not part of its value.
 */
export function replaceReferences(text: string, context: ReferenceContext): Replaced {
  if (!text.includes('${')) return { ok: true, text, replaced: false };
  let replaced = false;
  try {
    const out = text.replace(REFERENCE, (match: string, body: string | undefined) => {
      if (match === '$${') return '${';
      replaced = true;
      return resolveReference(body, context);
    });
    return { ok: true, text: out, replaced };
  } catch (error) {
    if (error instanceof UnresolvedReference) return error.answer;
    throw error;
  }
}
