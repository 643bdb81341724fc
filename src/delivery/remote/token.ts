import { Fault, fileTrouble, Secret } from '../../domain/index.ts';
import { MOST_BYTES, readBoundedText } from '../../source/index.ts';

/** A credential for one kind of sink: the names of its variables, the first one first. */
export interface TokenNames {
  readonly service: string;
  readonly names: readonly string[];
}

type Lookup = (name: string) => string | undefined;

/**
 * Finds the credential of a sink: in a variable, or in the file that the variable with `_FILE` at its end names.
 *
 * @throws Fault `sink.unauthorized`
 */
export async function findSinkToken({ service, names }: TokenNames, env: Lookup): Promise<Secret> {
  for (const name of names) {
    const text = env(name)?.trim();
    if (text) return sendable(text, name);
    const file = env(`${name}_FILE`);
    if (file) return sendable(await readToken(file, `${name}_FILE`), `${name}_FILE`);
  }
  throw new Fault('sink.unauthorized', `No credentials for ${service} were given.`, {
    hint: `Set ${names.join(' or ')}, or ${names[0]}_FILE to the path of a file that contains the token.`,
  });
}

async function readToken(path: string, from: string): Promise<string> {
  const text = await readBoundedText(path, MOST_BYTES.credential).catch((cause: unknown) => {
    throw new Fault('sink.unauthorized', `The file that ${from} names cannot be read: ${fileTrouble(cause)}.`);
  });
  return text.trim();
}

/** A header can hold printable ASCII only. The token itself is never repeated. */
function sendable(text: string, from: string): Secret {
  if (/^[\x21-\x7e]+$/.test(text)) return new Secret(text);
  throw new Fault(
    'sink.unauthorized',
    `${from} is not a token: it is empty, or has characters that no header can hold.`,
  );
}
