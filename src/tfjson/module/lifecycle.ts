import { toFlag } from '../expression/conversion.ts';
import { tryEvaluate } from '../expression/unresolved.ts';
import { isNull, type JsonMember, type JsonNode } from '../json/node.ts';
import { reportType, reportUnknownAttribute } from '../report.ts';
import { membersOf, nestedBlocks } from './block.ts';
import type { Instance } from './instance.ts';
import { literalOf, type Resolver } from './resolve.ts';

/** Arguments with effects that only Terraform has, and what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  ignore_changes: 'Omit the attribute: Keyplane does not manage an omitted attribute.',
  replace_triggered_by: 'Rename the key to replace it.',
  precondition: 'Decide in the program that synthesizes.',
  postcondition: 'Check the key with `data.keyplane_check`.',
  action_trigger: 'Run the action separately.',
  provisioner: 'Run it after Keyplane has applied the key.',
  connection: 'Run it after Keyplane has applied the key.',
};

const isEmpty = (node: JsonNode): boolean => isNull(node) || (node.kind === 'list' && node.items.length === 0);

function refuseEffects({ name, at, node }: JsonMember, resolver: Resolver): void {
  const hint = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
  if (hint === undefined || isEmpty(node)) return;
  resolver.report.problem({
    code: 'terraform.not-supported',
    at,
    message: `Only Terraform applies \`${name}\` to a key.`,
    found: `\`${name}\``,
    expected: 'a key without it',
    hint: `${hint} Or leave this key to Terraform.`,
  });
}

const KNOWN: readonly string[] = ['prevent_destroy', 'create_before_destroy', ...Object.keys(REFUSED)];

/** Terraform evaluates nothing here, and rejects null. */
function isTrue({ name, node }: JsonMember, resolver: Resolver): boolean {
  const flag = isNull(node) ? undefined : tryEvaluate(() => toFlag(literalOf(node)));
  if (flag === undefined) {
    reportType(node, name, '`true` or `false`', resolver.report);
  }
  return flag === true;
}

/** Returns whether `prevent_destroy` protects the key. Refuses what only Terraform could do. */
export function preventsDestroy({ declared: { body } }: Instance, resolver: Resolver): boolean {
  const { report } = resolver;
  const blocks = nestedBlocks(body, 'lifecycle', report);
  for (const member of [body, ...blocks].flatMap(membersOf)) refuseEffects(member, resolver);
  const [lifecycle, second] = blocks;
  if (second) {
    report.problem({
      code: 'manifest.syntax',
      at: second.place,
      message: 'The key has two `lifecycle` blocks.',
      found: 'a second `lifecycle`',
      expected: 'one block',
      hint: 'Merge the two blocks.',
    });
  }
  const members = lifecycle ? membersOf(lifecycle) : [];
  for (const { name, at } of members.filter((member) => !KNOWN.includes(member.name))) {
    reportUnknownAttribute({ name, at }, { known: KNOWN }, report);
  }
  const protection = members.find(({ name }) => name === 'prevent_destroy');
  return protection !== undefined && isTrue(protection, resolver);
}
