import {
  adoptedId,
  type Document,
  type DocumentKey,
  identityOf,
  importId,
  type Omission,
  type OmittedKey,
  omissionsOf,
  omissionText,
} from '../document.ts';
import { localNames, TERRAFORM_LABELS } from '../names.ts';
import { block, type ConfigurationBlock, flag, number, object, reference, text } from './block.ts';
import { checkMembers, expectBlocks, type KeyCheck, keyChecks } from './check.ts';
import { incompatibleInTerraform } from './incompatibility.ts';
import { keyMembers, rotationMembers, terraformName } from './key.ts';
import { generalOmissions, representable } from './representable.ts';

/** A Terraform configuration, independent of its syntax. */
export interface Configuration {
  readonly blocks: readonly ConfigurationBlock[];
  /** The comments at the top. */
  readonly head: readonly string[];
  readonly omissions: readonly Omission[];
  readonly omittedKeys: readonly OmittedKey[];
}

const KEY = 'keyplane_api_key';
const CHECK = 'keyplane_check';

const requirement = (): ConfigurationBlock =>
  block('terraform', [], {
    blocks: [
      block('required_providers', [], { members: [['keyplane', object(['source', text('keyplane/keyplane')])]] }),
    ],
  });

const providerBlock = ({ url, userId, profile }: Document['gateway']): ConfigurationBlock =>
  block('provider', ['keyplane'], {
    members: [
      ...(url === undefined ? [] : [['url', text(url)] as const]),
      ...(userId === undefined ? [] : [['user_id', number(userId)] as const]),
      ...(profile === undefined ? [] : [['gateway_profile', text(profile)] as const]),
    ],
  });

function keyBlock(key: DocumentKey, label: string): ConfigurationBlock {
  const { desired, isProtected, omissions } = key;
  const comments = omissions.map(({ field, why }) => omissionText({ field: terraformName(field), why }));
  return block('resource', [KEY, label], {
    comments,
    members: keyMembers(desired),
    blocks: [
      ...(desired.rotate ? [block('rotation', [], { members: rotationMembers(desired.rotate) })] : []),
      ...(isProtected ? [block('lifecycle', [], { members: [['prevent_destroy', flag(true)]] })] : []),
    ],
    ...(typeof desired.renamedFrom === 'string' ? { meta: { renamedFrom: desired.renamedFrom } } : {}),
  });
}

const importBlock = ({ desired }: DocumentKey, label: string): ConfigurationBlock =>
  block('import', [], {
    members: [
      ['to', reference(`${KEY}.${label}`)],
      ['id', text(importId(desired))],
    ],
  });

/** A data source that runs a check, and a `check` block that asserts its result. */
function checkBlocks({ spec }: KeyCheck, key: string, label: string): readonly ConfigurationBlock[] {
  const outcome = `data.${CHECK}.${label}`;
  return [
    block('data', [CHECK, label], {
      members: [['key_id', reference(`${KEY}.${key}.id`)], ...checkMembers(spec)],
      blocks: expectBlocks(spec),
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

const checkName = ({ key, spec }: KeyCheck): string => `${identityOf(key.desired)}\u0000${spec.name}`;

export const omittedKeyLine = ({ id, name, reason }: OmittedKey): string =>
  `Not declared here: ${id === undefined ? '' : `key ${id}, `}${JSON.stringify(name)}: ${reason}`;

export const omissionLine = (remark: Omission): string =>
  (remark.key === undefined ? '' : `${remark.key}: `) + omissionText(remark);

/** Converts a document to Terraform: the provider, the imports, the keys, and the checks of each. */
export function configurationOf(whole: Document, readAs?: string): Configuration {
  const document = representable(whole, incompatibleInTerraform);
  const { keys, gateway, omittedKeys } = document;
  const labels = localNames(
    keys.map(({ desired }) => identityOf(desired)),
    TERRAFORM_LABELS,
  );
  const labelOf = ({ desired }: DocumentKey): string => labels.get(identityOf(desired)) as string;
  const { checks, omissions: ofChecks } = keyChecks(document, incompatibleInTerraform);
  const checkLabels = localNames(checks.map(checkName), TERRAFORM_LABELS);
  const ofAll = [...generalOmissions(document, readAs), ...ofChecks];
  return {
    blocks: [
      requirement(),
      providerBlock(gateway),
      ...keys.flatMap((key) => [
        ...(document.adopts || adoptedId(key.desired) !== undefined ? [importBlock(key, labelOf(key))] : []),
        keyBlock(key, labelOf(key)),
      ]),
      ...checks.flatMap((check) => checkBlocks(check, labelOf(check.key), checkLabels.get(checkName(check)) as string)),
    ],
    head: [...ofAll.map(omissionLine), ...omittedKeys.map(omittedKeyLine)],
    omissions: [...ofAll, ...omissionsOf(keys)],
    omittedKeys,
  };
}
