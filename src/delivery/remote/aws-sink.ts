import { Buffer } from 'node:buffer';
import type { DescribeSecretCommandOutput, SecretsManagerClient, Tag } from '@aws-sdk/client-secrets-manager';
import { type AwsTarget, Fault, once, Secret } from '../../domain/index.ts';
import type { SinkHolder, SinkMatch, SinkMetadata, SinkOperations } from '../../reconcile/index.ts';
import { type Fingerprint, fingerprintOf, matchesFingerprint } from '../fingerprint.ts';
import { type AwsLibrary, awsFault, isAwsError, loadAws, openAws } from './aws-client.ts';
import type { CallSignal } from './caller.ts';

interface AwsPlace {
  readonly library: AwsLibrary;
  readonly client: SecretsManagerClient;
  readonly name: string;
  /** The secrets that the sink was asked about: no message shows them. */
  readonly asked: ReadonlySet<Secret>;
}

/** A secret of AWS as it is described, without its value; undefined: there is none. */
type Described = Pick<DescribeSecretCommandOutput, 'Tags' | 'VersionIdsToStages' | 'DeletedDate'> | undefined;

const MANAGED_BY = 'managed-by';
const HALF = 32;

/** The ID of a version is the fingerprint of its secret, salt first: at most 64 characters, which AWS takes as they are. */
const versionId = ({ salt, mark }: Fingerprint): string =>
  [salt, mark].map((part) => Buffer.from(part, 'base64url').toString('hex')).join('');

function fingerprintIn(id: string | undefined): Fingerprint | undefined {
  if (id === undefined || !/^[0-9a-f]{64}$/.test(id)) return undefined;
  const [salt = '', mark = ''] = [id.slice(0, HALF), id.slice(HALF)].map((part) =>
    Buffer.from(part, 'hex').toString('base64url'),
  );
  return { salt, mark };
}

/**
 * A secret of AWS Secrets Manager, whose value is the secret alone. The fingerprint is the ID of the version that is current,
 * so it takes no right to read the value, and every other version is seen to be somebody else’s.
 */
export function awsSink(target: AwsTarget, asked: ReadonlySet<Secret>): SinkOperations {
  const open = once(async (): Promise<AwsPlace> => {
    const library = await loadAws();
    return { library, client: openAws(library, target), name: target.awsSecret.name, asked };
  });
  const look = async (signal: CallSignal): Promise<Described> => await describe(await open(), signal);
  return {
    probe: async (signal) => holderOf(await look(signal)),
    compare: async (secret, signal) => matchOf(await look(signal), secret),
    write: async (secret, metadata, signal) => await writeValue(await open(), { secret, metadata }, signal),
    read: async (signal) => await readValue(await open(), signal),
    async remove(signal) {
      const place = await open();
      const { client, library, name } = place;
      const found = await look(signal);
      if (holderOf(found) !== 'ours') return;
      const command = new library.DeleteSecretCommand({ SecretId: name, RecoveryWindowInDays: RECOVERY_DAYS });
      await client.send(command).catch((thrown: unknown) => rethrow(place, thrown));
    },
  };
}

/** The shortest time in which AWS can bring a deleted secret back. */
const RECOVERY_DAYS = 7;

const abortable = (signal: CallSignal) => (signal ? { abortSignal: signal } : {});

/** Throws the trouble without what the request carried: its secret, and the token of temporary credentials. */
async function rethrow({ client, asked }: AwsPlace, thrown: unknown): Promise<never> {
  const { sessionToken } = await client.config.credentials().catch(() => ({ sessionToken: undefined }));
  throw awsFault(thrown, [...asked, ...(sessionToken === undefined ? [] : [new Secret(sessionToken)])]);
}

async function describe(place: AwsPlace, signal: CallSignal): Promise<Described> {
  const { client, library, name } = place;
  return await client
    .send(new library.DescribeSecretCommand({ SecretId: name }), abortable(signal))
    .catch((thrown: unknown) => {
      if (isAwsError(thrown, 'ResourceNotFoundException')) return undefined;
      return rethrow(place, thrown);
    });
}

const managerOf = (found: NonNullable<Described>): string | undefined =>
  found.Tags?.find(({ Key }) => Key === MANAGED_BY)?.Value;

function holderOf(found: Described): SinkHolder {
  if (found === undefined) return 'absent';
  if (managerOf(found) !== 'keyplane') return 'foreign';
  return found.DeletedDate ? 'absent' : 'ours';
}

function matchOf(found: Described, secret: Secret): SinkMatch {
  const versions = Object.entries(found?.VersionIdsToStages ?? {});
  const current = versions.find(([, stages]) => stages.includes('AWSCURRENT'))?.[0];
  if (found === undefined || found.DeletedDate || current === undefined) return 'absent';
  const known = fingerprintIn(current);
  return known && matchesFingerprint(secret, known) ? 'current' : 'other';
}

async function writeValue(
  place: AwsPlace,
  { secret, metadata }: { readonly secret: Secret; readonly metadata: SinkMetadata },
  signal: CallSignal,
): Promise<void> {
  const { client, library, name } = place;
  const found = await describe(place, signal);
  if (matchOf(found, secret) === 'current') return;
  const value = { SecretString: secret.reveal(), ClientRequestToken: versionId(fingerprintOf(secret)) };
  const Tags = tagsOf(metadata);
  try {
    if (found === undefined) {
      await client.send(new library.CreateSecretCommand({ Name: name, Tags, ...value }));
      return;
    }
    if (found.DeletedDate) await restore(place, found);
    // A run that is killed after this leaves a secret that does not look like somebody else's.
    await client.send(new library.TagResourceCommand({ SecretId: name, Tags }));
    await client.send(new library.PutSecretValueCommand({ SecretId: name, ...value }));
  } catch (thrown) {
    await rethrow(place, thrown);
  }
}

async function restore({ client, library, name }: AwsPlace, found: NonNullable<Described>): Promise<void> {
  if (managerOf(found) !== 'keyplane') {
    throw new Fault('sink.refused', `The secret ${name} is about to be deleted, and is not Keyplane’s.`, {
      hint: 'Restore it in AWS, or choose another name.',
    });
  }
  await client.send(new library.RestoreSecretCommand({ SecretId: name }));
}

/** AWS accepts only these characters in the value of a tag. */
const tagText = (text: string): string => text.replace(/[^\p{L}\p{Z}\p{N}_.:/=+@-]/gu, '_').slice(0, 256);

const MOST_LABELS = 30;

function tagsOf({ key, owner, labels = {} }: SinkMetadata): Tag[] {
  const facts = {
    [MANAGED_BY]: 'keyplane',
    'keyplane:key': key,
    ...(owner === undefined ? {} : { 'keyplane:owner': owner }),
    ...Object.fromEntries(
      Object.entries(labels)
        .slice(0, MOST_LABELS)
        .map(([name, value]) => [tagText(`keyplane:label:${name}`).slice(0, 128), value]),
    ),
  };
  return Object.entries(facts).map(([Key, value]) => ({ Key, Value: tagText(value) }));
}

async function readValue(place: AwsPlace, signal: CallSignal): Promise<Secret | undefined> {
  const { client, library, name } = place;
  const answer = await client
    .send(new library.GetSecretValueCommand({ SecretId: name }), abortable(signal))
    .catch((thrown: unknown) => {
      // Not everybody who may write may read.
      const isHarmless = ['ResourceNotFoundException', 'AccessDeniedException', 'InvalidRequestException'].some(
        (each) => isAwsError(thrown, each),
      );
      if (isHarmless) return undefined;
      return rethrow(place, thrown);
    });
  return answer?.SecretString ? new Secret(answer.SecretString) : undefined;
}
