import type { ManifestReading } from '../../src/manifest/index.ts';
import { type ReadOptions, readFiles } from '../manifest/scratch.ts';

/** The output of a CDK for Terraform, as far as it matters here. */

type Fields = Readonly<Record<string, unknown>>;

/** A block that a construct has written. */
export const from = (path: string, fields: Fields): Fields => ({
  '//': { metadata: { path, uniqueId: path.replaceAll('/', '_') } },
  ...fields,
});

/** A stack with these keys, by their local names, and more blocks. */
export const stackOf = (keys: Fields, more: Fields = {}): Fields => ({
  '//': { metadata: { backend: 'local', stackName: 'prod', version: '0.21.0' } },
  provider: { keyplane: [{ url: 'http://127.0.0.1:4000', user_id: 42 }] },
  resource: { keyplane_api_key: keys },
  terraform: { required_providers: { keyplane: { source: 'keyplane/keyplane' } } },
  ...more,
});

const PATH = (name: string): string => `stacks/${name}/cdk.tf.json`;

/** The files of an output folder with these stacks. */
export const outputOf = (stacks: Fields, about: Fields = {}): Readonly<Record<string, string>> => ({
  'cdktf.out/manifest.json': JSON.stringify({
    version: '0.21.0',
    stacks: Object.fromEntries(
      Object.keys(stacks).map((name) => [
        name,
        { name, constructPath: name, annotations: [], synthesizedStackPath: PATH(name), ...about },
      ]),
    ),
  }),
  ...Object.fromEntries(
    Object.entries(stacks).map(([name, stack]) => [`cdktf.out/${PATH(name)}`, JSON.stringify(stack, null, 2)]),
  ),
});

/** Reads an output folder with these stacks. */
export const readStacks = (stacks: Fields, options: ReadOptions = {}): Promise<ManifestReading> =>
  readFiles(outputOf(stacks), { paths: ['cdktf.out'], ...options });

/** Reads a module with this key, which is called `app` unless the fields change that. */
export const readKey = (fields: Fields, more: Fields = {}, options: ReadOptions = {}): Promise<ManifestReading> =>
  readStacks({ prod: stackOf({ app: from('prod/App', { name: 'app', ...fields }) }, more) }, options);

/** `code construct: message`, for comparing. */
export const messagesOf = ({ diagnostics }: ManifestReading): readonly string[] =>
  diagnostics.map(({ code, place, message }) => `${code} ${place?.construct ?? '-'}: ${message}`);
