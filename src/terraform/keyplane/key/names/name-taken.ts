import { type KeyId, type ObservedKey, tryParseGeneration } from '../../../../domain/index.ts';
import type { Recognized } from '../../../../reconcile/index.ts';
import type { DiagnosticContent, ProtocolDiagnostic } from '../../../provider/diagnostics.ts';

/** The diagnostics about keys that already have the name of a resource. */

export const NAMELESS: DiagnosticContent = {
  summary: 'A new key has no name',
  detail: 'Set `name`, or `name_prefix` for a generated one. Only a key that exists keeps the name that it has.',
  path: ['name'],
};

const quoted = (name: string): string => JSON.stringify(name);

/** Commands for each of several keys. The provider does not know the address of a resource. */
const waysOut = (ids: readonly number[]): readonly string[] => [
  ...ids.map(
    (id) => `To manage the key ${id} here: \`terraform import ADDRESS ${id}\`, where ADDRESS is that of this resource.`,
  ),
  'If another state has one of them, leave it there, and import another. If a state has the wrong one, release it with `terraform state rm ADDRESS`, which deletes no key.',
  'If nobody needs one of them, delete it at the gateway by its ID.',
];

const ENABLED = 'The resource is declared disabled, and its key is still enabled: disable it at the gateway.';

/** The keys that this run and another one made with one name, where nothing shows which is whose. */
export const madeTwice = (
  { name, enabled = true }: { readonly name: string; readonly enabled?: boolean },
  ids: readonly number[],
): ProtocolDiagnostic => ({
  severity: 'error',
  summary: `More than one key is named ${quoted(name)}: ${ids.join(', ')}`,
  detail: [
    'Another run created a key with this name at the same time, and nothing shows which key is whose. All of them stay at the gateway, and this state has none of them. Other resources are not affected.',
    ...(enabled ? [] : [ENABLED]),
    ...waysOut(ids),
  ].join('\n'),
  path: ['name'],
});

const FOREIGN =
  'An interrupted run sent a create of this name. This key is not adopted, because it differs from what was sent, was used, was made much later, or is not the only one.';

const ELSEWHERE =
  'If another state has it, such as that of another workspace, give this key a name of its own, for example with `${terraform.workspace}`: after an import, each state could delete it.';

const takenByOne = (name: string, id: number | undefined, own: Recognized | undefined): DiagnosticContent => ({
  summary: `A key named ${quoted(name)} already exists${id === undefined ? ', or is being created' : ` (id ${id})`}`,
  detail: [
    'Two keys with the same name could not be distinguished.',
    ...(own?.state === 'foreign' ? [FOREIGN] : []),
    'If this key replaces it (`create_before_destroy`), set `name_prefix` instead of `name`.',
    'If another resource releases the name in this run, apply again.',
    ELSEWHERE,
    'If no resource manages it, import it: `import` with its ID, or `name=…`.',
  ].join('\n'),
});

/** @param ids of the keys that have the name; empty: one is being created */
export function nameTaken(name: string, ids: readonly KeyId[], own?: Recognized): ProtocolDiagnostic {
  if (own?.state === 'ambiguous') return madeTwice({ name }, ids);
  const [id] = ids;
  const several = {
    summary: `Several keys are named ${quoted(name)}: ${ids.join(', ')}`,
    detail: [...(own?.state === 'foreign' ? [FOREIGN] : []), ...waysOut(ids)].join('\n'),
  };
  return { severity: 'error', path: ['name'], ...(ids.length > 1 ? several : takenByOne(name, id, own)) };
}

/** The refusal of a name that the generations of a key may have: nobody is to import or delete one of them alone. */
export function nameTakenBy(name: string, keys: readonly ObservedKey[]): ProtocolDiagnostic {
  const ids = keys.map(({ id }) => id);
  if (!keys.some((key) => tryParseGeneration(key.name))) return nameTaken(name, ids);
  return {
    severity: 'error',
    path: ['name'],
    summary: `A key named ${quoted(name)} already exists (id ${ids.join(', ')})`,
    detail: [
      'That key rotates, and each ID is one of its generations. Two keys with the same name could not be distinguished.',
      'If this key replaces it (`create_before_destroy`), remove `create_before_destroy`.',
      'If another resource releases the name in this run, apply again. Keys that rotate cannot exchange their names in one apply: give one of them another name first.',
      ELSEWHERE,
      'If no resource manages it, give this resource a `rotation`, and import the key with `name=…`.',
    ].join('\n'),
  };
}

/** Warns in a plan, which nothing ends: another resource may release the name in the same run. */
export const nameExists = (ids: readonly KeyId[]): DiagnosticContent =>
  ids.length > 1
    ? {
        summary: `Keys with this name already exist (id ${ids.join(', ')})`,
        detail: waysOut(ids).join('\n'),
        path: ['name'],
      }
    : {
        summary: `A key with this name already exists (id ${ids[0]})`,
        detail: [
          'If a resource had it under another address, add a `moved` block.',
          ELSEWHERE,
          `If no resource manages it, import it with an \`import\` block and \`id = "${ids[0]}"\`.`,
          'If another resource releases the name in this run, do nothing.',
        ].join('\n'),
        path: ['name'],
      };

/** Warns of a state that is removed, because it names no key. */
export const noId = (name: string, ids: readonly KeyId[]): DiagnosticContent => ({
  summary: `The state has no ID for the key ${quoted(name)}, so Terraform forgets it`,
  detail: [
    `At the gateway, ${ids.length > 1 ? 'the keys' : 'the key'} ${ids.join(', ')} ${ids.length > 1 ? 'have' : 'has'} this name. Nothing is deleted there.`,
    ...waysOut(ids),
  ].join('\n'),
  path: ['id'],
});
