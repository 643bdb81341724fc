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
import type { Document, DocumentKey, Remark } from '../document.ts';
import { flag, json, type Member, number, object, text, texts, type Value } from './block.ts';
import type { Oddity } from './oddity.ts';

/** One check of one key: Terraform has no names for checks that several keys share. */
export interface KeyCheck {
  readonly key: DocumentKey;
  readonly spec: CheckSpec;
}

export interface KeyChecks {
  readonly checks: readonly KeyCheck[];
  readonly remarks: readonly Remark[];
}

/** Media are paid for each time: Terraform wants that to be said. */
export const isCostly = ({ module, schedule }: CheckSpec): boolean =>
  kindOfModule(module) === 'media' || schedule === 'costly';

const oddityOf = ({ model, family, request, expect }: CheckSpec, oddity: Oddity): string | undefined =>
  oddity(JSON.parse(canonicalJson([model, family, request, expect])) as Json);

function scheduleRemarks({ key, spec }: KeyCheck): readonly Remark[] {
  const { schedule } = spec;
  if (schedule === undefined || schedule === 'costly') return [];
  const why = 'Terraform proves at each plan and apply whatever it costs';
  return [{ key: key.desired.name, field: `checks ${spec.name}: schedule ${schedule}`, why }];
}

function checksOfKey(key: DocumentKey, defined: readonly CheckSpec[], oddity: Oddity): KeyChecks {
  const remarks: Remark[] = [];
  const leave = (field: string, why: string) => remarks.push({ key: key.desired.name, field: `checks ${field}`, why });
  const specs = new Map<string, CheckSpec>();
  for (const word of key.checks) {
    const meant = checksMeant(word, defined);
    if (!meant) leave(word, 'Terraform takes checks one by one, no kinds and no classes');
    for (const spec of meant ?? []) {
      const odd = oddityOf(spec, oddity);
      if (odd === undefined) specs.set(spec.name, spec);
      else leave(spec.name, odd);
    }
  }
  const checks = [...specs.values()].map((spec) => ({ key, spec }));
  return { checks, remarks: [...remarks, ...checks.flatMap(scheduleRemarks)] };
}

/** What keys select, check by check. What nobody selects is told. */
export function keyChecks({ keys, checks: defined }: Document, oddity: Oddity): KeyChecks {
  const each = keys.map((key) => checksOfKey(key, defined, oddity));
  const checks = each.flatMap((of) => of.checks);
  const idle = defined.filter(({ name }) => !checks.some(({ spec }) => spec.name === name));
  const unused = idle.map(({ name }) => ({ field: `checks ${name}`, why: 'no key is proven by it here' }));
  return { checks, remarks: [...each.flatMap((of) => of.remarks), ...unused] };
}

const ASSERTION_CODEC: AssertionCodec<Value> = {
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

const expectMembers = (expect: CheckSpec['expect']): readonly Member[] =>
  mapAssertions(expect, ASSERTION_CODEC).map(([name, value]) => [ASSERTIONS[name].terraform, value]);

/** What Terraform is told of a check, beside the key that it is about. */
export function checkMembers(spec: CheckSpec): readonly Member[] {
  const { module, model, family, request, expect, retries, timeoutMs } = spec;
  const expected = expectMembers(expect);
  const members: readonly (Member | false)[] = [
    ['module', text(module)],
    model !== undefined && ['model', text(model)],
    family !== undefined && ['family', text(family)],
    Object.keys(request).length > 0 && ['request', json(request)],
    expected.length > 0 && ['expect', object(...expected)],
    isCostly(spec) && ['costly', flag(true)],
    timeoutMs !== undefined && ['timeout', text(renderDuration(timeoutMs / 1000))],
    retries > 0 && ['retries', number(retries)],
  ];
  return members.filter((member) => member !== false);
}
