import type { TerraformObject } from '../../codec/value.ts';
import type {
  ForeignState,
  OperationContext,
  ProposedChange,
  Resource,
  ResourceInstance,
} from '../../provider/definition.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { unknownEnd } from './plan/on-destroy.ts';
import { planKey } from './plan/plan.ts';
import { planDelete } from './plan/relabeled.ts';
import { damageOf } from './private-data.ts';
import { importKey, readKey } from './read.ts';
import { KEY_IDENTITY, KEY_SCHEMA } from './schema.ts';
import { withinTimeout } from './timeouts.ts';
import { updateKey } from './write/update.ts';
import { createKey, endKey } from './write/write.ts';

const EMPTY: TerraformObject = Object.fromEntries(Object.keys(KEY_SCHEMA.attributes).map((name) => [name, null]));

/** The ID of a key in the state of a generic REST object; undefined for other objects. */
function keyIdIn(text: string): number | undefined {
  const { id, path } = JSON.parse(text) as { readonly id?: unknown; readonly path?: unknown };
  if (!/^\/?api\/token\/?$/.test(String(path))) return undefined;
  return /^[1-9]\d{0,14}$/.test(String(id)) ? Number(id) : undefined;
}

/** Adopts keys of the generic REST provider. Takes over only the ID: the next read fills in the rest. */
function moveKey({ providerAddress, typeName, text }: ForeignState): ResourceInstance | undefined {
  if (!providerAddress.endsWith('/restapi') || typeName !== 'restapi_object') return undefined;
  const id = keyIdIn(text);
  if (id !== undefined) return { state: { ...EMPTY, id } };
  throw new DiagnosticError({
    summary: `This ${typeName} is not a key`,
    detail:
      'Its `path` is not `/api/token`, or it has no ID. Remove it with `terraform state rm`, and import the key by its name.',
  });
}

const isConfigured = (context: OperationContext<Client | undefined>): context is OperationContext<Client> =>
  context.client !== undefined;

/** A plan takes the time of what it plans: core plans again in the apply, right before it. */
function planInTime(change: ProposedChange, context: OperationContext<Client | undefined>): Promise<TerraformObject> {
  if (!isConfigured(context)) return planKey(change, context);
  const operation = change.prior === undefined ? 'create' : 'update';
  return withinTimeout({ operation, state: change.config }, context, (timed) => planKey(change, timed));
}

export const KEY_RESOURCE: Resource<Client> = {
  schema: KEY_SCHEMA,
  identity: KEY_IDENTITY,
  identityOf: ({ id }, { store }) =>
    id === null || id === undefined ? undefined : { id, user_id: store.account.userId },
  damageOf: (stored) => damageOf(stored) ?? unknownEnd(stored.state),
  read: (instance, context) =>
    withinTimeout({ operation: 'read', state: instance.state }, context, (timed) => readKey(instance, timed)),
  plan: planInTime,
  planDelete,
  create: (change, context) =>
    withinTimeout({ operation: 'create', state: change.planned }, context, (timed) => createKey(change, timed)),
  update: (change, context) =>
    withinTimeout({ operation: 'update', state: change.planned }, context, (timed) => updateKey(change, timed)),
  delete: (prior, context) =>
    withinTimeout({ operation: 'delete', state: prior.state }, context, (timed) => endKey(prior, timed)),
  import: importKey,
  upgrade: ({ text }) => text,
  move: moveKey,
};
