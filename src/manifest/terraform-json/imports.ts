import type { Place } from '../../domain/index.ts';
import { found, type Tree, tryFindEntry } from '../yaml/tree.ts';
import type { Block } from './block.ts';
import type { Expression, Step } from './expression.ts';
import { asText } from './nodes.ts';
import type { OpenModule } from './open-module.ts';
import { parseAddress } from './parse.ts';
import { Refused } from './refused.ts';
import { placed, resolve, type Site } from './resolve.ts';
import { isNumber, tryWhole } from './value.ts';

const BY_NAME = /^name=(.+)$/s;

const KEY = 'keyplane_api_key';

/** The resource that an import is for, as far as its address is written without expressions. */
interface Target {
  readonly type: string | undefined;
  /** `keyplane_api_key.many["x"]`; undefined when something in it is to be worked out. */
  readonly address: string | undefined;
}

function stepText(step: Step): string | undefined {
  if ('name' in step) return `.${step.name}`;
  const key = step.index.kind === 'literal' ? step.index.value : undefined;
  if (typeof key === 'string') return `[${JSON.stringify(key)}]`;
  const whole = key !== undefined && isNumber(key) ? tryWhole(key) : undefined;
  return whole === undefined ? undefined : `[${whole}]`;
}

function targetOf(expression: Expression): Target | undefined {
  if (expression.kind !== 'reference') return undefined;
  const [first, ...others] = expression.steps;
  // `resource.` may stand before every address.
  const isLong = expression.root === 'resource';
  const type = isLong ? (first && 'name' in first ? first.name : undefined) : expression.root;
  const steps = (isLong ? others : expression.steps).map(stepText);
  const isPlain = type !== undefined && steps.every((step) => step !== undefined);
  return { type, address: isPlain ? type + steps.join('') : undefined };
}

function tryReadTarget(node: Tree | undefined): Target | undefined {
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
  try {
    return targetOf(parseAddress(node.value));
  } catch (thrown) {
    if (thrown instanceof Refused) return undefined;
    throw thrown;
  }
}

/** Of another resource it is nothing to us; an address that is not plain could be that of a key. */
const isOfOther = (target: Target | undefined): boolean =>
  target?.type !== undefined && target.type !== KEY && !['module', 'data', 'resource'].includes(target.type);

/** Whose live name is another one would be made a second time, under the name that is declared. */
function refuseTarget({ body }: Block, related: Place | undefined, { report }: Site): void {
  const to = tryFindEntry(body, 'to')?.node;
  report.problem({
    code: 'terraform.not-supported',
    at: to?.place ?? body.place,
    message: related ? 'Two imports are for one key.' : 'The import is for no key that this module declares.',
    found: to ? found(to) : 'no `to`',
    expected: `\`to\` with the address of a key, as \`${KEY}.app\` or \`${KEY}.team["x"]\`, once`,
    hint: 'Once Terraform has imported the key, the block can be taken out.',
    ...(related ? { related: [{ place: related, message: 'the first one' }] } : {}),
  });
}

function refuseId({ body }: Block, { report }: Site): void {
  report.problem({
    code: 'terraform.not-supported',
    at: body.place,
    message: 'An import by id is not read: only the gateway can tell which key it is.',
    found: 'an import without `name=`',
    expected: '`id = "name=…"`, with the name that the key has',
    hint: 'Once Terraform has imported the key, the block can be taken out.',
  });
}

/** The name that the key has now; undefined, and reported, when the block does not say it. */
function nameIn(block: Block, site: Site): Tree | undefined {
  const node = tryFindEntry(block.body, 'id')?.node;
  const id = node && asText(resolve(node, site));
  if (id?.broken) return undefined;
  const name = id?.kind === 'scalar' && typeof id.value === 'string' ? BY_NAME.exec(id.value)?.[1] : undefined;
  if (id?.kind === 'scalar' && name !== undefined) return { ...id, value: name };
  refuseId(block, site);
  return undefined;
}

/**
 * The names that imports say keys have now, by the addresses of the keys. What could be an import of a key, and can not
 * be read as one, is refused: a second key would be made.
 */
export function importedNames({ module, keys, base }: OpenModule): ReadonlyMap<string, Tree> {
  const names = new Map<string, Tree>();
  const firsts = new Map<string, Place>();
  const addresses = new Set(keys.map(({ address }) => address));
  for (const block of module.imports) {
    const target = tryReadTarget(tryFindEntry(block.body, 'to')?.node);
    if (isOfOther(target)) continue;
    const address = target?.address;
    const first = address === undefined ? undefined : firsts.get(address);
    if (address === undefined || first || !addresses.has(address)) {
      refuseTarget(block, first, base);
      continue;
    }
    firsts.set(address, placed(block.body.place, base));
    const name = nameIn(block, base);
    if (name) names.set(address, name);
  }
  return names;
}
