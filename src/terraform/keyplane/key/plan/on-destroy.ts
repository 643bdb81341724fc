import type { TerraformObject, TerraformValue } from '../../../codec/value.ts';
import type { OperationContext, ResourceInstance } from '../../../provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../../provider/diagnostics.ts';
import type { RunMemory } from '../../client.ts';
import { idOf } from '../find-live.ts';

/** The ends of a key whose resource is destroyed, with what then becomes of it. */
const ENDS = {
  delete: undefined,
  disable: 'It will be disabled, and stays at the gateway',
  abandon: 'It stays at the gateway as it is, and its credential keeps working',
} as const;

type End = keyof typeof ENDS;

const isEnd = (value: TerraformValue): value is End => typeof value === 'string' && Object.hasOwn(ENDS, value);

export const destroyErrors = (value: TerraformValue): readonly DiagnosticContent[] =>
  isEnd(value)
    ? []
    : [
        {
          summary: `Invalid value ${JSON.stringify(value)} of \`on_destroy\``,
          detail: `Expected ${Object.keys(ENDS)
            .map((end) => `\`${end}\``)
            .join(', ')}.`,
        },
      ];

/** The end of a key whose resource is destroyed, by its state. */
export function endOf({ on_destroy: end = null }: TerraformObject): End {
  return isEnd(end) ? end : 'delete';
}

/** Finds an end that this version does not know: a destroy would delete a key that was to stay. */
export const unknownEnd = ({ on_destroy: end = null }: TerraformObject): string | undefined =>
  end === null || isEnd(end) ? undefined : 'on_destroy: unknown to this version of the provider';

const nameIn = ({ name }: TerraformObject): string => JSON.stringify(name ?? '');

/** Warns of a key that a plan ends without deleting it. Core reports it as destroyed. */
export function stays({ state }: ResourceInstance): DiagnosticContent | undefined {
  const effect = ENDS[endOf(state)];
  if (effect === undefined) return undefined;
  return {
    summary: `The key ${state.id} (${nameIn(state)}) will not be deleted`,
    detail: `${effect}, because its \`on_destroy\` is \`${endOf(state)}\`. Terraform forgets it.`,
  };
}

/** Notes a key that was read and keeps its name when its resource ends. */
export function noteRead(instance: ResourceInstance, { unplannedStayingNames }: RunMemory): void {
  const [id, { name }] = [idOf(instance), instance.state];
  const isStaying = endOf(instance.state) !== 'delete';
  if (id !== undefined && typeof name === 'string' && isStaying) unplannedStayingNames.set(id, name);
}

/**
 * Warns of a new key with the name of one that stays and that nothing has planned: its resource is tainted, which only core knows, or
 * its plan follows and gives it another name.
 */
export function warnOfUnplanned(
  name: string,
  { client, warn }: Pick<OperationContext<{ readonly run: RunMemory }>, 'client' | 'warn'>,
): void {
  const [id] = [...client.run.unplannedStayingNames].find(([, staying]) => staying === name) ?? [];
  if (id === undefined) return;
  warn({
    summary: `The key ${id} has the name ${JSON.stringify(name)}, and keeps it if this plan replaces it`,
    detail: [
      'Its `on_destroy` keeps it at the gateway when its resource is replaced, and then no other key can get the name: the apply would end the key, and fail.',
      'If the resource is tainted, and the key is right as it is, keep it with `terraform untaint`.',
      'To replace it, apply `on_destroy = "delete"` after that, and plan with `-replace`.',
      'If another resource releases the name in this run, do nothing.',
    ].join('\n'),
    path: ['name'],
  });
}

/** Notes a key that keeps its name when its resource ends. @param name undefined while it is not known */
export function noteStaying(
  prior: ResourceInstance,
  name: string | undefined,
  { stayingNames, unplannedStayingNames }: RunMemory,
): void {
  const id = idOf(prior);
  if (id === undefined) return;
  unplannedStayingNames.delete(id);
  if (name === undefined || endOf(prior.state) === 'delete') stayingNames.delete(id);
  else stayingNames.set(id, name);
}

/** Rejects a new key with the name of one that stays: the create could only fail, after the former key has ended. @throws DiagnosticError */
export function rejectStayingName(name: string, { stayingNames }: RunMemory): void {
  const found = [...stayingNames].find(([, staying]) => staying === name);
  if (found === undefined) return;
  throw new DiagnosticError({
    summary: `The key ${found[0]} keeps the name ${JSON.stringify(name)}, so that no other key can get it`,
    detail:
      'Its `on_destroy` keeps it at the gateway when its resource is replaced or removed. Use `name_prefix` instead of `name`, give the new key another name, or apply `on_destroy = "delete"` first.',
    path: ['name'],
  });
}
