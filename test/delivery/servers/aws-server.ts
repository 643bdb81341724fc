import { type ApiAnswer, openApiServer } from './api-server.ts';

interface Version {
  readonly value: string;
  readonly stages: Set<string>;
}

interface Stored {
  readonly versions: Map<string, Version>;
  readonly tags: Map<string, string>;
  deletedAt?: number;
}

type Input = Readonly<Record<string, unknown>>;

const trouble = (type: string, message: string, status = 400): ApiAnswer => ({
  status,
  json: { __type: type, message },
});

const TAG = /^[\p{L}\p{Z}\p{N}_.:/=+@-]*$/u;

/** AWS Secrets Manager as the reference of its API describes it, without signatures. Listed in decision 38. */
export async function startAws({ mayRead = true }: { readonly mayRead?: boolean } = {}) {
  const secrets = new Map<string, Stored>();
  const writes: string[] = [];

  const addTags = (stored: Stored, input: Input): void => {
    for (const { Key, Value } of (input.Tags ?? []) as { Key: string; Value: string }[]) stored.tags.set(Key, Value);
  };
  const badTags = (input: Input): ApiAnswer | undefined =>
    ((input.Tags ?? []) as { Key: string; Value: string }[]).every(
      ({ Key, Value }) => TAG.test(Key) && TAG.test(Value) && Key.length <= 128 && Value.length <= 256,
    )
      ? undefined
      : trouble('InvalidParameterException', 'A tag has characters that are not allowed.');

  /** The same token and the same value: nothing happens. The same token and another value: an error. */
  const put = (stored: Stored, input: Input): ApiAnswer => {
    const [id, value] = [String(input.ClientRequestToken), String(input.SecretString)];
    if (id.length < 32 || id.length > 64) return trouble('InvalidParameterException', 'ClientRequestToken');
    const known = stored.versions.get(id);
    if (known && known.value !== value)
      return trouble('ResourceExistsException', 'The token belongs to another value.');
    for (const { stages } of stored.versions.values()) {
      stages.delete('AWSPREVIOUS');
      if (stages.delete('AWSCURRENT')) stages.add('AWSPREVIOUS');
    }
    stored.versions.set(id, { value, stages: new Set(['AWSCURRENT']) });
    return { status: 200, json: { VersionId: id } };
  };

  const create = (name: string, input: Input): ApiAnswer => {
    const known = secrets.get(name);
    if (known?.deletedAt) {
      return trouble('InvalidRequestException', 'A secret with this name is already scheduled for deletion.');
    }
    // A repeated request is recognized by its token.
    if (known && known.versions.get(String(input.ClientRequestToken))?.value === input.SecretString)
      return put(known, input);
    if (known) return trouble('ResourceExistsException', 'A secret with this name already exists.');
    const made: Stored = { versions: new Map(), tags: new Map() };
    secrets.set(name, made);
    addTags(made, input);
    return put(made, input);
  };

  const existing: Readonly<Record<string, (stored: Stored, input: Input) => ApiAnswer>> = {
    PutSecretValue: put,
    TagResource(stored, input) {
      addTags(stored, input);
      return { status: 200, json: {} };
    },
    DeleteSecret(stored) {
      stored.deletedAt = 1_795_600_000;
      return { status: 200, json: {} };
    },
    GetSecretValue(stored) {
      if (!mayRead) return trouble('AccessDeniedException', 'User is not authorized: secretsmanager:GetSecretValue');
      const [id, current] = [...stored.versions].find(([, { stages }]) => stages.has('AWSCURRENT')) ?? [];
      return { status: 200, json: { SecretString: current?.value, VersionId: id } };
    },
  };

  const server = await openApiServer(({ headers, body }) => {
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    const input = Object(body) as Input;
    if (!/^(Describe|Get)/.test(operation)) writes.push(operation);
    if (operation === 'CreateSecret') return badTags(input) ?? create(String(input.Name), input);
    const name = String(input.SecretId);
    const stored = secrets.get(name);
    if (!stored) return trouble('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    if (operation === 'DescribeSecret') {
      const VersionIdsToStages = Object.fromEntries([...stored.versions].map(([id, { stages }]) => [id, [...stages]]));
      const Tags = [...stored.tags].map(([Key, Value]) => ({ Key, Value }));
      const deleted = stored.deletedAt ? { DeletedDate: stored.deletedAt } : {};
      return { status: 200, json: { Name: name, Tags, VersionIdsToStages, ...deleted } };
    }
    if (operation === 'RestoreSecret') {
      delete stored.deletedAt;
      return { status: 200, json: {} };
    }
    if (stored.deletedAt) {
      return trouble(
        'InvalidRequestException',
        'You can’t perform this operation on the secret because it was marked for deletion.',
      );
    }
    return badTags(input) ?? existing[operation]?.(stored, input) ?? trouble('UnknownOperationException', operation);
  });
  return Object.assign(server, { secrets, writes });
}
