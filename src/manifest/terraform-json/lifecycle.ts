import type { Place } from '../../domain/index.ts';
import { reportUnknown } from '../../source/index.ts';
import type { Entry, Tree } from '../yaml/tree.ts';
import { entriesOf, nested } from './block.ts';
import type { Instance } from './instance.ts';
import { isNothing } from './nodes.ts';
import { placed, type Site } from './resolve.ts';
import { refuseType, typed } from './typed.ts';

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

/** What else Terraform knows of it, and what has no effect on keys. */
const KNOWN: readonly string[] = ['prevent_destroy', 'create_before_destroy', ...Object.keys(REFUSED)];

function reportSecond(at: Place, site: Site): void {
  site.report.problem({
    code: 'manifest.syntax',
    at: placed(at, site),
    message: '`lifecycle` stands twice in one key.',
    found: '`lifecycle`',
    expected: 'one block',
    hint: 'Put into one what both say.',
  });
}

/** Terraform works nothing out here, and takes no null. */
function isTrue({ name, node }: Entry, site: Site): boolean {
  const written = { ...node, place: placed(node.place, site) };
  const flag = isNothing(node)
    ? refuseType(written, { what: name, expected: 'true or false' }, site)
    : typed(written, { what: name, type: 'flag' }, site);
  return flag.kind === 'scalar' && flag.value === true;
}

/** Is it never to be destroyed? Refuses everything else that the block says of its life. */
export function isKept(instance: Instance, site: Site): boolean {
  refuse(instance, site);
  const [lifecycle, second] = nested(instance.declared.body, 'lifecycle', site.report);
  if (second) reportSecond(second.place, site);
  let kept = false;
  for (const entry of lifecycle ? entriesOf(lifecycle) : []) {
    const { name, at } = entry;
    if (!KNOWN.includes(name)) reportUnknown(site.report, { name, at: placed(at, site) }, { known: KNOWN });
    if (name === 'prevent_destroy') kept = isTrue(entry, site);
  }
  return kept;
}
