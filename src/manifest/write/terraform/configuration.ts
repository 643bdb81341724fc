import { type Document, type DocumentKey, type Remark, remarksOf, remarkText, type UnsaidKey } from '../document.ts';
import { localNames, TERRAFORM_LABELS } from '../names.ts';
import { type Block, block, flag, number, object, reference, text } from './block.ts';
import { checkMembers, type KeyCheck, keyChecks } from './check.ts';
import { keyMembers, terraformName } from './key.ts';
import { oddInTerraform } from './oddity.ts';
import { sayable, unsaidOfAll } from './sayable.ts';

/** A whole configuration of Terraform, before it is written in one of its syntaxes. */
export interface Configuration {
  readonly blocks: readonly Block[];
  /** What stands at the top as comments. */
  readonly head: readonly string[];
  readonly remarks: readonly Remark[];
  readonly unsaidKeys: readonly UnsaidKey[];
}

const KEY = 'keyplane_api_key';
const CHECK = 'keyplane_check';

const requirement = (): Block =>
  block('terraform', [], {
    blocks: [
      block('required_providers', [], { members: [['keyplane', object(['source', text('keyplane/keyplane')])]] }),
    ],
  });

const providerBlock = ({ url, userId }: Document['gateway']): Block =>
  block('provider', ['keyplane'], {
    members: [
      ...(url === undefined ? [] : [['url', text(url)] as const]),
      ...(userId === undefined ? [] : [['user_id', number(userId)] as const]),
    ],
  });

function keyBlock(key: DocumentKey, label: string): Block {
  const { desired, isProtected, unsaid } = key;
  const remarks = unsaid.map(({ field, why }) => remarkText({ field: terraformName(field), why }));
  return block('resource', [KEY, label], {
    remarks,
    members: keyMembers(desired),
    blocks: isProtected ? [block('lifecycle', [], { members: [['prevent_destroy', flag(true)]] })] : [],
    ...(desired.renamedFrom === undefined ? {} : { meta: { renamedFrom: desired.renamedFrom } }),
  });
}

const importBlock = ({ desired }: DocumentKey, label: string): Block =>
  block('import', [], {
    members: [
      ['to', reference(`${KEY}.${label}`)],
      ['id', text(`name=${desired.name}`)],
    ],
  });

/** A check is read, and what it found is asserted. */
function checkBlocks({ spec }: KeyCheck, key: string, label: string): readonly Block[] {
  const outcome = `data.${CHECK}.${label}`;
  return [
    block('data', [CHECK, label], {
      members: [['key_id', reference(`${KEY}.${key}.id`)], ...checkMembers(spec)],
      meta: { name: spec.name },
    }),
    block('check', [label], {
      blocks: [
        block('assert', [], {
          members: [
            ['condition', reference(`${outcome}.passed`)],
            ['error_message', reference(`${outcome}.message`)],
          ],
        }),
      ],
    }),
  ];
}

const checkName = ({ key, spec }: KeyCheck): string => `${key.desired.name}\u0000${spec.name}`;

export const unsaidLine = ({ id, name, reason }: UnsaidKey): string =>
  `Not declared here: ${id === undefined ? '' : `key ${id}, `}${JSON.stringify(name)}: ${reason}`;

export const remarkLine = (remark: Remark): string =>
  (remark.key === undefined ? '' : `${remark.key}: `) + remarkText(remark);

/** A document as Terraform is told it: the provider, what is adopted, the keys, and the checks of each. */
export function configurationOf(whole: Document, readAs?: string): Configuration {
  const document = sayable(whole, oddInTerraform);
  const { keys, gateway, unsaidKeys } = document;
  const labels = localNames(
    keys.map(({ desired }) => desired.name),
    TERRAFORM_LABELS,
  );
  const labelOf = ({ desired }: DocumentKey): string => labels.get(desired.name) as string;
  const { checks, remarks: ofChecks } = keyChecks(document, oddInTerraform);
  const checkLabels = localNames(checks.map(checkName), TERRAFORM_LABELS);
  const ofAll = [...unsaidOfAll(document, readAs), ...ofChecks];
  return {
    blocks: [
      requirement(),
      providerBlock(gateway),
      ...keys.flatMap((key) => [
        ...(document.adopts ? [importBlock(key, labelOf(key))] : []),
        keyBlock(key, labelOf(key)),
      ]),
      ...checks.flatMap((check) => checkBlocks(check, labelOf(check.key), checkLabels.get(checkName(check)) as string)),
    ],
    head: [...ofAll.map(remarkLine), ...unsaidKeys.map(unsaidLine)],
    remarks: [...ofAll, ...remarksOf(keys)],
    unsaidKeys,
  };
}
