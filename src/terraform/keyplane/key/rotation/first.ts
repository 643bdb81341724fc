import {
  type DesiredKey,
  generationName,
  keyName,
  minuteOf,
  stemOf,
  tryParseGeneration,
} from '../../../../domain/index.ts';
import { createDigest, settingsOfNew } from '../../../../reconcile/index.ts';
import type { TerraformObject } from '../../../codec/value.ts';
import type { ProposedChange, WriteResult } from '../../../provider/definition.ts';
import { DiagnosticError } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { nameTakenBy } from '../names/name-taken.ts';
import { compareKey, formerUseOf } from '../plan/compare.ts';
import { declaredValues } from '../values/declared.ts';
import { decodeKey } from '../values/fields.ts';
import { generationsOf } from './generations.ts';

/** The name of a create that a killed process left for the first generation of this key, with the same settings. */
async function leftName(name: string, desired: DesiredKey, client: Client): Promise<string | undefined> {
  const { creates, store } = client;
  const left = ((await creates?.left()) ?? []).filter(
    (create) => tryParseGeneration(create.name)?.stem === stemOf(name),
  );
  if (left.length === 0) return undefined;
  const rate = await store.quotaPerUnit();
  const used = formerUseOf(await compareKey(desired, undefined, client));
  const digestOf = (each: string): string =>
    createDigest(settingsOfNew({ ...desired, name: keyName(each) }, rate, used));
  return left.find((create) => create.digest === digestOf(create.name))?.name;
}

const without = (values: TerraformObject, name: string): TerraformObject => ({ ...values, name, rotation: null });

/**
 * Returns the create of the first generation, which is one of an ordinary key whose name states the time, and the way back to the
 * state of the resource. A key that exists under one of these names is never taken over: an import does that.
 *
 * @throws DiagnosticError when there is one
 */
export async function firstGeneration(change: ProposedChange, client: Client) {
  const name = String(change.planned.name);
  const { rotate: _rotate, ...desired } = decodeKey(declaredValues(change));
  const left = await leftName(name, desired, client);
  const taken = generationsOf(name, await client.store.list()).filter((key) => key.name !== left);
  if (taken.length > 0) throw new DiagnosticError(nameTakenBy(name, taken));
  const generation = left ?? generationName(name, { born: minuteOf(client.now()) });
  const first = {
    ...change,
    config: without(change.config, generation),
    planned: without(change.planned, generation),
  };
  return {
    first,
    asDeclared: (result: WriteResult): WriteResult => {
      const { instance } = result;
      if (instance === undefined) return result;
      const state = { ...instance.state, name, rotation: change.planned.rotation ?? null };
      return { ...result, instance: { ...instance, state } };
    },
  };
}
