import type { TerraformObject, TerraformValue } from '../../../codec/value.ts';
import type { ResourceInstance } from '../../../provider/definition.ts';
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

/** Notes a key that keeps its name when its resource ends. @param name undefined while it is not known */
export function noteStaying(prior: ResourceInstance, name: string | undefined, { stayingNames }: RunMemory): void {
  const id = idOf(prior);
  if (id === undefined) return;
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
