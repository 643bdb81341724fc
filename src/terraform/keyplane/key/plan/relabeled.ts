import type { ObservedKey } from '../../../../domain/index.ts';
import type { OperationContext, ResourceInstance } from '../../../provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../../provider/diagnostics.ts';
import type { Client, RunMemory } from '../../client.ts';
import { findGenerations, idOf, mayHaveSeveral } from '../find-live.ts';
import { otherGeneration, warnOfRenamedGenerations } from '../rotation/keep-apart.ts';
import { endOf, noteStaying, rejectStayingName, stays } from './on-destroy.ts';

/**
 * Finds resources whose label changed without a `moved` block: core plans to delete the former one, and to create or import the
 * other. Core visits resources in any order, so each function looks at what the other one noted.
 */

const MOVED =
  'If you only renamed the resource, or moved it, add a `moved` block from its former address: the key and its credential stay.';

const nameIn = ({ state }: ResourceInstance): string => (typeof state.name === 'string' ? state.name : '');

const named = (id: number, name: string): string => `key ${id} (${JSON.stringify(name)})`;

const wouldEnd = (verb: 'delete' | 'disable', id: number, name: string): DiagnosticError =>
  new DiagnosticError({
    summary: `This plan would ${verb} the ${named(id, name)}, which another resource of this state has`,
    detail: `${MOVED} Remove its \`import\` block. If the key was imported already, remove the former resource from the state without its key: with \`terraform state rm\`, or a \`removed\` block and \`lifecycle { destroy = false }\`.`,
  });

export const createdAgain = (id: number, name: string): DiagnosticContent => ({
  summary: `The ${named(id, name)} will be deleted, and another one created with its name`,
  detail: `${MOVED} An import would not prevent that.`,
});

const inTwo = (id: number, name: string): DiagnosticError =>
  new DiagnosticError({
    summary: `The ${named(id, name)} cannot be in two resources`,
    detail:
      'Whichever is removed first would end the key of the other. Remove one of their `import` blocks. If the state has the key in both, remove one of the resources from it without its key: with `terraform state rm`, or a `removed` block and `lifecycle { destroy = false }`.',
  });

/** @throws DiagnosticError when another resource of the state has or imports the live key of this one */
export function rejectShared(prior: ResourceInstance, { id, name }: ObservedKey, { keptBy }: RunMemory): void {
  if ((keptBy.get(id) ?? prior) !== prior) throw inTwo(id, name);
}

/** Notes a key that stays with its resource. @throws DiagnosticError when the same plan deletes it, or another resource has it */
export function noteKept(instance: ResourceInstance, { run }: { readonly run: RunMemory }): void {
  const id = idOf(instance);
  if (id === undefined) return;
  const other = run.keptBy.get(id) ?? instance;
  // The state of an imported generation has no name.
  if (other !== instance) throw inTwo(id, nameIn(instance) || nameIn(other));
  run.keptBy.set(id, instance);
  const former = run.formerNames.get(id);
  if (former !== undefined) throw new DiagnosticError(otherGeneration(id, former));
  const deleted = run.plannedDeletes.get(id);
  if (deleted !== undefined) throw wouldEnd('delete', id, deleted);
  if (run.plannedDisables.has(id)) throw wouldEnd('disable', id, nameIn(instance));
}

/** The names of the keys that end with a resource, by ID: a key that rotates has several. */
async function endingOf(
  prior: ResourceInstance,
  id: number,
  { client, warn }: Pick<OperationContext<Client>, 'client' | 'warn'>,
): Promise<ReadonlyMap<number, string>> {
  const own = [id, nameIn(prior)] as const;
  if (!mayHaveSeveral(prior)) return new Map([own]);
  const found = await findGenerations(prior, client);
  await warnOfRenamedGenerations(prior, found, { client, warn });
  return new Map([...(found?.all ?? []).map((each) => [each.id, each.name] as const), own]);
}

/** Notes the keys that a plan deletes. @throws DiagnosticError when another resource has one of them; Fault */
export async function planDelete(
  prior: ResourceInstance,
  { client, warn }: OperationContext<Client | undefined>,
): Promise<void> {
  const id = idOf(prior);
  if (client === undefined || id === undefined) return;
  const { keptBy, plannedDeletes, plannedDisables, plannedNames } = client.run;
  const name = nameIn(prior);
  const end = endOf(prior.state);
  const ending = end === 'abandon' ? [] : [...(await endingOf(prior, id, { client, warn }))];
  for (const [each, its] of ending) if (end !== 'abandon' && keptBy.has(each)) throw wouldEnd(end, each, its);
  const staying = stays(prior);
  if (staying) {
    for (const [each] of ending) plannedDisables.add(each);
    noteStaying(prior, name, client.run);
    warn(staying);
    if ([...plannedNames.values()].includes(name)) rejectStayingName(name, client.run);
    return;
  }
  for (const [each, its] of ending) plannedDeletes.set(each, its);
  if ([...plannedNames.values()].includes(name)) warn(createdAgain(id, name));
}
