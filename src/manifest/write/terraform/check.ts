import {
  ASSERTIONS,
  type AssertionCodec,
  type CheckSpec,
  canonicalJson,
  checksMeant,
  type Json,
  kindOfModule,
  mapAssertions,
  renderDuration,
} from '../../../domain/index.ts';
import type { Document, DocumentKey, Omission } from '../document.ts';
import {
  type BlockMember,
  type BlockValue,
  block,
  type ConfigurationBlock,
  flag,
  json,
  number,
  text,
  texts,
} from './block.ts';
import type { IncompatibilityFinder } from './incompatibility.ts';

/** One check of one key: in Terraform, keys cannot share a check. */
export interface KeyCheck {
  readonly key: DocumentKey;
  readonly spec: CheckSpec;
}

export interface KeyChecks {
  readonly checks: readonly KeyCheck[];
  readonly omissions: readonly Omission[];
}

/** Must the check be marked as costly? Each run of a media check costs money. */
export const isCostly = ({ module, schedule }: CheckSpec): boolean =>
  kindOfModule(module) === 'media' || schedule === 'costly';

const incompatibilityOf = (
  { model, family, request, expect }: CheckSpec,
  findIncompatibility: IncompatibilityFinder,
): string | undefined => findIncompatibility(JSON.parse(canonicalJson([model, family, request, expect])) as Json);

function scheduleOmissions({ key, spec }: KeyCheck): readonly Omission[] {
  const { schedule } = spec;
  if (schedule === undefined || schedule === 'costly') return [];
  const why = 'Terraform runs checks at each plan and apply, whatever they cost';
  return [{ key: key.desired.name, field: `checks ${spec.name}: schedule ${schedule}`, why }];
}

function checksOfKey(
  key: DocumentKey,
  defined: readonly CheckSpec[],
  findIncompatibility: IncompatibilityFinder,
): KeyChecks {
  const omissions: Omission[] = [];
  const leave = (field: string, why: string) =>
    omissions.push({ key: key.desired.name, field: `checks ${field}`, why });
  const specs = new Map<string, CheckSpec>();
  for (const word of key.checks) {
    const meant = checksMeant(word, defined);
    if (!meant) leave(word, 'Terraform selects single checks, not kinds or classes');
    for (const spec of meant ?? []) {
      const odd = incompatibilityOf(spec, findIncompatibility);
      if (odd === undefined) specs.set(spec.name, spec);
      else leave(spec.name, odd);
    }
  }
  const checks = [...specs.values()].map((spec) => ({ key, spec }));
  return { checks, omissions: [...omissions, ...checks.flatMap(scheduleOmissions)] };
}

/** Resolves the selections of all keys to single checks. Reports checks that no key selects. */
export function keyChecks({ keys, checks: defined }: Document, findIncompatibility: IncompatibilityFinder): KeyChecks {
  const each = keys.map((key) => checksOfKey(key, defined, findIncompatibility));
  const checks = each.flatMap((of) => of.checks);
  const idle = defined.filter(({ name }) => !checks.some(({ spec }) => spec.name === name));
  const unused = idle.map(({ name }) => ({ field: `checks ${name}`, why: 'no key selects it' }));
  return { checks, omissions: [...each.flatMap((of) => of.omissions), ...unused] };
}

const ASSERTION_CODEC: AssertionCodec<BlockValue> = {
  text,
  texts,
  pattern: text,
  jsonSchema: json,
  count: number,
  seconds: number,
  flag,
  mediaFormat: text,
  usd: number,
};

const expectMembers = (expect: CheckSpec['expect']): readonly BlockMember[] =>
  mapAssertions(expect, ASSERTION_CODEC).map(([name, value]) => [ASSERTIONS[name].terraform, value]);

/** Returns the assertions of a check as a block, if there are any. */
export function expectBlocks({ expect }: CheckSpec): readonly ConfigurationBlock[] {
  const members = expectMembers(expect);
  return members.length > 0 ? [block('expect', [], { members })] : [];
}

/** Returns the attributes of a check, except its key. */
export function checkMembers(spec: CheckSpec): readonly BlockMember[] {
  const { module, model, family, request, retries, timeoutMs } = spec;
  const members: readonly (BlockMember | false)[] = [
    ['module', text(module)],
    model !== undefined && ['model', text(model)],
    family !== undefined && ['family', text(family)],
    Object.keys(request).length > 0 && ['request', json(request)],
    isCostly(spec) && ['costly', flag(true)],
    timeoutMs !== undefined && ['timeout', text(renderDuration(timeoutMs / 1000))],
    retries > 0 && ['retries', number(retries)],
  ];
  return members.filter((member) => member !== false);
}
