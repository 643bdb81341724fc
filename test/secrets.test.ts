import { describe, expect, it } from 'vitest';
import type { Tree } from './architecture/import-rules.ts';
import { readTree } from './architecture/repository.ts';
import { isIdentifier, memberName, parse, type SyntaxNode, walk } from './architecture/syntax.ts';

/**
 * The places that may open a secret, with how often each does. A new one is a decision: it is made here, in review.
 */
const MAY_REVEAL: Readonly<Record<string, number>> = {
  // The removal of secrets from texts.
  'src/domain/masking.ts': 5,
  // The purpose of `keys reveal`.
  'src/cli/commands/keys-read.ts': 1,
  // A file of mode 0600.
  'src/cli/session/files/secret-file.ts': 1,
  // Checks whether a header can contain the token, without printing it.
  'src/gateway/address.ts': 1,
  // Credential headers of the questions about a gateway.
  'src/gateway/ask.ts': 2,
  // The keyed hash by which a sink recognizes the secret, and the sinks themselves, whose purpose it is to hold it.
  'src/delivery/fingerprint.ts': 1,
  'src/delivery/file/file-sink.ts': 1,
  'src/delivery/kubernetes-sink.ts': 1,
  'src/delivery/age-sink.ts': 1,
  'src/delivery/remote/vault-place.ts': 1,
  'src/delivery/remote/gitlab-sink.ts': 1,
  'src/delivery/remote/aws-sink.ts': 1,
  'src/delivery/remote/sealed-box.ts': 1,
  // The credential header of a service.
  'src/delivery/remote/open-remote.ts': 3,
  // On standard input, never in arguments or the environment.
  'src/delivery/exec/run-program.ts': 1,
  // Credential headers, of inference and of the System API.
  'src/gateway/inference/connection.ts': 1,
  'src/gateway/system/caller.ts': 1,
  // The private key of the client certificate, and its passphrase, for the TLS handshake.
  'src/http/dispatcher.ts': 2,
  // Finds out that a gateway reveals one secret for two keys.
  'src/gateway/system/reveal.ts': 1,
  // The credential header of the model listing, and a search by key.
  'src/gateway/system/system-api.ts': 2,
  'src/reference/inference/upstream.ts': 1,
  // The purpose of the ephemeral resource and of the deprecated data source.
  'src/terraform/keyplane/data/secret.ts': 1,
};

/** The places that may name the rotation of the access token, which ends the one in use. */
const MAY_ROTATE: readonly string[] = [
  'src/cli/commands/rotate-token.ts',
  'src/gateway/system/system-api.ts',
  // The gateway itself, which answers it.
  'src/reference/system/handlers.ts',
  'src/wire/system/account.ts',
  'src/wire/system/paths.ts',
];

/** `store.reveal(ids)` asks a gateway; `secret.reveal()`, and the method in passing, open a secret. */
function opensSecret(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (node.type === 'Property' && parent?.type === 'ObjectPattern') return isIdentifier(node.key, 'reveal');
  if (memberName(node) !== 'reveal') return false;
  const called = parent?.type === 'CallExpression' && parent.callee === node;
  return !called || (parent.arguments as unknown[]).length === 0;
}

function openings(tree: Tree): Readonly<Record<string, number>> {
  const counts = [...tree].map(([path, text]): [string, number] => [
    path,
    walk(parse(path, text)).filter(([node, parent]) => opensSecret(node, parent)).length,
  ]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

const ROTATION = /\brotateToken\b|\/api\/user\/token\b(?!\/)/;

const rotationPlaces = (tree: Tree): readonly string[] =>
  [...tree].flatMap(([path, text]) => (ROTATION.test(text) ? [path] : [])).sort();

const source = readTree(['src', 'constructs'], ['.ts']);

describe('a secret', () => {
  it('is opened in these places only', () => {
    expect(openings(source)).toEqual(MAY_REVEAL);
  });

  it.each([
    'secret.reveal()',
    'secret?.reveal()',
    "secret['reveal']()",
    'secret.reveal.call(other)',
    'list.map(secret.reveal)',
    'const { reveal } = secret',
  ])('is seen to be opened by %s', (text) => {
    expect(openings(new Map([['a.ts', `${text};`]]))).toEqual({ 'a.ts': 1 });
  });

  it.each(['store.reveal(ids)', 'const reveal = { reveal: 1 }', 'reveal()'])('is not opened by %s', (text) => {
    expect(openings(new Map([['a.ts', `${text};`]]))).toEqual({});
  });
});

describe('the rotation of the access token', () => {
  it('is named in these places only', () => {
    expect(rotationPlaces(source)).toEqual(MAY_ROTATE);
  });

  it('is seen by its path and by its name', () => {
    const tree = new Map([
      ['a.ts', "fetch('/api/user/token')"],
      ['b.ts', 'system.rotateToken()'],
      ['c.ts', "fetch('/api/token/')"],
    ]);
    expect(rotationPlaces(tree)).toEqual(['a.ts', 'b.ts']);
  });
});
