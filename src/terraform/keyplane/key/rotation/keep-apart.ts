import type { ObservedKey } from '../../../../domain/index.ts';
import { isUnknown, type TerraformObject } from '../../../codec/value.ts';
import type { OperationContext, ResourceInstance } from '../../../provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../../provider/diagnostics.ts';
import type { Client, RunMemory } from '../../client.ts';
import { knownIds } from '../find-live.ts';
import { nameTakenBy } from '../names/name-taken.ts';
import { privateOf } from '../private-data.ts';
import { isRotating } from './block.ts';
import { generationsOf, isDated, isGenerationOf, type LiveGenerations } from './generations.ts';

/** Keeps the generations of a key apart from the keys of other resources, which its rotation would end. */

export const otherGeneration = (id: number, name: string): DiagnosticContent => ({
  summary: `The key ${id} is a generation of another key: its name is ${JSON.stringify(name)}`,
  detail: [
    `The rotation of ${JSON.stringify(name.replace(/~[^~]*$/, ''))} ends its former generations, whichever resource has them.`,
    'To manage the key that rotates, give this resource its name and its `rotation`.',
    'If this resource has them without a `rotation`, or `ignore_changes` hides it from the import, import the key by `name=…` instead of its ID.',
    'To keep this key apart from it, rename the key at the gateway first.',
    'To leave the key to its rotation, remove the `import` block, or the resource from the state with `terraform state rm`.',
  ].join('\n'),
  path: ['name'],
});

const strayed = ({ id, name }: ObservedKey, former: ObservedKey): DiagnosticContent => ({
  summary: `The key ${id} was renamed to ${JSON.stringify(name)} at the gateway, and is one of several generations`,
  detail: [
    `A rotation recognizes generations by their names: with this one, the former key ${former.id} (${JSON.stringify(former.name)}) would not end. Nothing was changed.`,
    'Give the key a name of the same form at the gateway again, with the minute of its creation (UTC).',
    'To keep its name, remove the resource from the state with `terraform state rm`, and import the key without a `rotation`.',
  ].join('\n'),
  path: ['name'],
});

const noLongerGeneration = ({ id, name }: ObservedKey, declared: string): DiagnosticContent => ({
  summary: `The key ${id} (${JSON.stringify(name)}) is no longer a generation of ${JSON.stringify(declared)}: somebody renamed it at the gateway`,
  detail: [
    'Its credential still works, and Terraform ends it neither by the rotation nor with the resource.',
    'If nobody needs the key, delete it at the gateway by its ID.',
    'To leave it to the rotation, give it a name of the form `prod-checkout~20261125-1430` again.',
    'To keep the key without this warning, remove the resource from the state with `terraform state rm`, and import it again by `name=…`.',
  ].join('\n'),
  path: ['name'],
});

/** Warns of former generations that somebody renamed. They may be somebody else’s now, so nothing ends them. @throws Fault */
export async function warnOfRenamedGenerations(
  instance: ResourceInstance,
  found: LiveGenerations | undefined,
  { client, warn }: Pick<OperationContext<Client>, 'client' | 'warn'>,
): Promise<void> {
  const own = new Set<number>(found?.all.map(({ id }) => id));
  const former = new Set(knownIds(instance).filter((id) => id !== instance.state.id && !own.has(id)));
  if (former.size === 0) return;
  for (const key of await client.store.recent())
    if (former.has(key.id) && key.status !== 'disabled') warn(noLongerGeneration(key, String(instance.state.name)));
}

interface Planned {
  readonly config: TerraformObject;
  readonly prior: ResourceInstance;
}

/** Is an imported key one of several generations, while its resource shows no rotation? Only an import by name finds the others. */
function isOneOfSeveral({ config, prior }: Planned, live: ObservedKey, keys: readonly ObservedKey[]): boolean {
  if (!privateOf(prior).imported || isRotating(config)) return false;
  // The state has the name of a dated generation only if it was imported by name.
  if (isDated(live) && prior.state.name !== null) return false;
  const generations = generationsOf(isDated(live) ? String(config.name) : live.name, keys);
  const hasOwn = generations.some(({ id }) => id === live.id);
  return hasOwn && generations.some((each) => each.id !== live.id && isDated(each));
}

function rejectGeneration(planned: Planned, live: ObservedKey, keys: readonly ObservedKey[]): void {
  const names = [planned.config.name ?? null, planned.prior.state.name ?? null];
  const isOwn = names.some((each) => isUnknown(each) || isGenerationOf(each, live.name));
  const isOther = (isDated(live) && !isOwn) || isOneOfSeveral(planned, live, keys);
  if (isOther) throw new DiagnosticError(otherGeneration(live.id, live.name));
}

/** A key that begins to rotate takes over what is named like its generations: all of that must be its own. */
function rejectTakeover({ config, prior }: Planned, live: ObservedKey, keys: readonly ObservedKey[]): void {
  if (!isRotating(config) || isRotating(prior.state) || typeof config.name !== 'string') return;
  const found = generationsOf(config.name, keys);
  if (found.length > 0 && found.every(({ id }) => id !== live.id))
    throw new DiagnosticError(nameTakenBy(config.name, found));
}

/** Rejects a current generation that somebody renamed while there are former ones. @throws DiagnosticError */
export function rejectStrayed({ current, all }: LiveGenerations): void {
  const former = all.at(-2);
  if (former && !isDated(current)) throw new DiagnosticError(strayed(current, former));
}

/** Rejects a plan that would mix the keys of a resource with the generations of another one. @throws DiagnosticError, Fault */
export async function rejectMixed(planned: Planned, found: LiveGenerations, { store }: Client): Promise<void> {
  const keys = await store.recent();
  rejectGeneration(planned, found.current, keys);
  rejectTakeover(planned, found.current, keys);
  rejectStrayed(found);
}

/** Notes the former generations of a resource. @throws DiagnosticError when another resource of the state has one of them */
export function noteFormer(
  { state }: ResourceInstance,
  { all }: LiveGenerations,
  { keptBy, formerNames }: RunMemory,
): void {
  for (const { id, name } of all) {
    if (id === state.id) continue;
    if (keptBy.has(id)) throw new DiagnosticError(otherGeneration(id, name));
    formerNames.set(id, name);
  }
}
