import { type Tree, tryFindEntry } from '../tree.ts';
import { entriesOf, nested } from './block.ts';
import type { Instance } from './instance.ts';
import { isNothing } from './nodes.ts';
import { placed, resolve, type Site } from './resolve.ts';

/** What Terraform would do beside, or instead of, making the key as it is written. */
const REFUSED: Readonly<Record<string, string>> = {
  ignore_changes: 'Leave the attribute out: what is not written is not managed.',
  replace_triggered_by: 'A new name makes a new key.',
  precondition: 'Let the program that synthesizes decide.',
  postcondition: 'Prove the key with `data.keyplane_check`.',
  action_trigger: 'Run what it does by itself.',
  provisioner: 'Run what it does after `keyplane apply`.',
  connection: 'Run what it does after `keyplane apply`.',
};

const isEmpty = (node: Tree): boolean => isNothing(node) || (node.kind === 'list' && node.items.length === 0);

/** Refuses what would have an effect that only Terraform gives it. */
function refuse({ declared }: Instance, site: Site): void {
  const entries = [declared.body, ...nested(declared.body, 'lifecycle', site.report)].flatMap(entriesOf);
  for (const { name, at, node } of entries) {
    const hint = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (hint === undefined || isEmpty(node)) continue;
    site.report.problem({
      code: 'terraform.not-supported',
      at: placed(at, site),
      message: `\`${name}\` of a key is something that only Terraform does.`,
      found: `\`${name}\``,
      expected: 'a key without it',
      hint: `${hint} Or leave this key to Terraform.`,
    });
  }
}

/** Is it never to be destroyed? Refuses everything else that the block says of its life. */
export function isKept(instance: Instance, site: Site): boolean {
  refuse(instance, site);
  return nested(instance.declared.body, 'lifecycle', site.report).some((lifecycle) => {
    const entry = tryFindEntry(lifecycle, 'prevent_destroy');
    if (entry?.node.kind !== 'scalar') return false;
    const node = resolve(entry.node, site);
    return node.kind === 'scalar' && (node.value === true || node.value === 'true');
  });
}
