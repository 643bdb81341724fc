import { Buffer } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { Fault, type KubernetesTarget, Secret } from '../domain/index.ts';
import type { SinkMetadata, SinkOperations } from '../reconcile/index.ts';
import { refuseSpecial } from './file/entry-format.ts';
import { changePrivate, exposureOf, type PrivatePath, probePrivate, readPrivate } from './file/private-file.ts';
import {
  type Fingerprint,
  fingerprintOf,
  matchesFingerprint,
  renderFingerprint,
  tryParseFingerprint,
} from './fingerprint.ts';
import { renderKubernetesYaml } from './kubernetes-yaml.ts';

const MANAGED_BY = 'app.kubernetes.io/managed-by';
const US = 'keyplane';
const FINGERPRINT = 'keyplane.dev/fingerprint';

/** The parts of a Secret that are read. */
interface ReadSecret {
  readonly manager: unknown;
  readonly fingerprint: Fingerprint | undefined;
  /** Undefined: there is none, or a program has encrypted it. */
  readonly value: string | undefined;
  readonly isSealed: boolean;
}

const mapOf = (value: unknown): ReadonlyMap<string, unknown> => new Map(Object.entries(Object(value)));

/** Undefined: the text is not one manifest of a Secret. */
function tryRead(text: string, entry: string): ReadSecret | undefined {
  const documents = parseAllDocuments(text, { uniqueKeys: true });
  const [document, ...more] = Array.isArray(documents) ? documents : [];
  if (document === undefined || more.length > 0 || document.errors.length > 0) return undefined;
  const root = mapOf(document.toJS({ maxAliasCount: 100 }));
  const kind = root.get('kind');
  if (kind !== 'Secret' && kind !== 'SealedSecret') return undefined;
  // Sealing moves labels and annotations into the template of the Secret that the cluster makes.
  const template = mapOf(mapOf(root.get('spec')).get('template'));
  const metadata = mapOf((kind === 'Secret' ? root : template).get('metadata'));
  const data = mapOf(root.get('data')).get(entry);
  const isSealed = kind === 'SealedSecret' || root.has('sops') || (typeof data === 'string' && data.startsWith('ENC['));
  return {
    manager: mapOf(metadata.get('labels')).get(MANAGED_BY),
    fingerprint: tryParseFingerprint(mapOf(metadata.get('annotations')).get(FINGERPRINT)),
    value: isSealed || typeof data !== 'string' ? undefined : Buffer.from(data, 'base64').toString('utf8'),
    isSealed,
  };
}

/** The end of the name: it changes with the secret, so that what refers to it is rolled out. */
const suffixOf = ({ mark }: Fingerprint): string => Buffer.from(mark, 'base64url').toString('hex').slice(0, 8);

function render(
  { kubernetesSecret: { name, namespace, as = DEFAULT_ENTRY } }: KubernetesTarget,
  secret: Secret,
  { fingerprint, metadata }: { readonly fingerprint: Fingerprint; readonly metadata: SinkMetadata },
): string {
  const value = secret.reveal();
  refuseSpecial(value);
  const { key, owner, labels = {} } = metadata;
  return renderKubernetesYaml({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `${name}-${suffixOf(fingerprint)}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { [MANAGED_BY]: US },
      annotations: {
        [FINGERPRINT]: renderFingerprint(fingerprint),
        'keyplane.dev/key': key,
        ...(owner === undefined ? {} : { 'keyplane.dev/owner': owner }),
        ...(Object.keys(labels).length === 0 ? {} : { 'keyplane.dev/labels': JSON.stringify(labels) }),
      },
    },
    immutable: true,
    type: 'Opaque',
    data: { [as]: Buffer.from(value).toString('base64') },
  });
}

const DEFAULT_ENTRY = 'api-key';

/** A manifest of an immutable Secret, in a file of its own. An annotation has the fingerprint, also after the file was sealed. */
export function kubernetesSink(target: KubernetesTarget, root: string): SinkOperations {
  const { file: path, as = DEFAULT_ENTRY } = target.kubernetesSecret;
  const file: PrivatePath = { root, path };
  const found = async (): Promise<ReadSecret | 'absent' | 'other'> => {
    const text = await readPrivate(file);
    if (text === undefined || text.trim() === '') return 'absent';
    refuseSealed(text, path);
    return tryRead(text, as) ?? 'other';
  };
  let isUnsealed = false;
  return {
    async probe() {
      const held = await found();
      await probePrivate(file);
      if (typeof held === 'string') return held === 'absent' ? 'absent' : 'foreign';
      return held.manager === US ? 'ours' : 'foreign';
    },
    async compare(secret) {
      const held = await found();
      if (typeof held === 'string') return held;
      const { fingerprint, value, isSealed } = held;
      const isSame = fingerprint !== undefined && matchesFingerprint(secret, fingerprint);
      return isSame && (isSealed || (value !== undefined && secret.is(value))) ? 'current' : 'other';
    },
    async write(secret, metadata) {
      await changePrivate(file, (text) => {
        refuseSealed(text, path);
        const held = text === undefined ? undefined : tryRead(text, as);
        const before = held?.fingerprint;
        isUnsealed ||= held?.isSealed === true;
        const fingerprint = before && matchesFingerprint(secret, before) ? before : fingerprintOf(secret);
        const written = render(target, secret, { fingerprint, metadata });
        return text !== undefined && isSameDocument(text, written) ? text : written;
      });
    },
    async read() {
      const held = await found();
      return typeof held === 'string' || held.value === undefined ? undefined : new Secret(held.value);
    },
    exposure: async () => (isUnsealed ? UNSEALED : await exposureOf(file)),
    async remove() {
      const held = await found();
      if (held === 'absent') return;
      if (held === 'other' || held.manager !== US) throw foreign(path);
      await changePrivate(file, () => undefined);
    },
  };
}

const UNSEALED = 'the file was encrypted and no longer is: encrypt it before you commit it';

/** @throws Fault `sink.unreadable` for a manifest that may be one of Keyplane: a program has encrypted all of it */
function refuseSealed(text: string | undefined, path: string): void {
  if (text === undefined || !/\bkind"?:\s*"?ENC\[/.test(text)) return;
  throw new Fault(
    'sink.unreadable',
    `The file ${path} cannot be used for a secret: its annotations are encrypted too.`,
    {
      hint: 'Decrypt it, then encrypt `data` only, such as by `encrypted_regex: ^data$` in `.sops.yaml`.',
    },
  );
}

const dataOf = (text: string): unknown => parseAllDocuments(text)[0]?.toJS();

const isSameDocument = (a: string, b: string): boolean => isDeepStrictEqual(dataOf(a), dataOf(b));

const foreign = (path: string): Fault =>
  new Fault('sink.foreign', `The file ${path} holds something that Keyplane did not write.`);
