import {
  type AssertionCodec,
  type CheckSpec,
  canonicalJsonText,
  type Json,
  mapAssertions,
  type Rotation,
  renderDuration,
  renderInstant,
} from '../../../domain/index.ts';
import type { DocumentKey } from '../document.ts';
import { type FieldCodec, writeFields, writeLimit } from '../fields.ts';
import { rotationParts } from '../rotation.ts';
import { isCostly } from '../terraform/check.ts';
import {
  dollars,
  type Expression,
  json,
  object,
  type Property,
  plainText,
  text,
  texts,
  verbatim,
} from './expression.ts';

const CODEC: FieldCodec<Expression> = {
  kinds: {
    flag: verbatim,
    text,
    textSet: texts,
    ipSet: texts,
    instant: (at) => plainText(renderInstant(at)),
    budget: (budget) =>
      budget.kind === 'unlimited'
        ? plainText('unlimited')
        : writeLimit(budget, { usd: dollars, quota: verbatim, text: plainText, flag: verbatim, object }),
    // In the order of the canonical form, which is how the provider reads it back.
    json: (value) => (value === '' ? object() : object(['tiers', json(JSON.parse(canonicalJsonText(value)) as Json)])),
  },
  word: plainText,
};

const rotationObject = (rotation: Rotation): Expression =>
  object(...rotationParts(rotation).map(([name, duration]) => [name, plainText(duration)] as const));

/** Returns the properties of an `ApiKey`. */
export const keyProperties = ({ desired, isProtected }: DocumentKey): readonly Property[] => [
  ['name', text(desired.name)],
  ...writeFields(desired, CODEC),
  ...(desired.rotate ? [['rotation', rotationObject(desired.rotate)] as const] : []),
  ...(typeof desired.renamedFrom === 'string' ? [['renamedFrom', text(desired.renamedFrom)] as const] : []),
  ...(isProtected ? [['preventDestroy', verbatim(true)] as const] : []),
];

const ASSERTION_CODEC: AssertionCodec<Expression> = {
  text: json,
  texts: json,
  pattern: json,
  jsonSchema: json,
  count: json,
  seconds: json,
  flag: json,
  mediaFormat: json,
  usd: dollars,
};

/** Returns the properties of a `SmokeCheck`. @param key the variable of the key; @param id of the construct */
export function checkProperties(spec: CheckSpec, key: string, id: string): readonly Property[] {
  const { name, module, model, family, request, expect, retries, timeoutMs } = spec;
  const called = text(name);
  const properties: readonly (Property | false)[] = [
    (called.kind !== 'text' || called.text !== id) && ['name', called],
    ['key', verbatim(key)],
    ['module', plainText(module)],
    model !== undefined && ['model', text(model)],
    family !== undefined && ['family', text(family)],
    Object.keys(request).length > 0 && ['request', json(request)],
    Object.keys(expect).length > 0 && ['expect', object(...mapAssertions(expect, ASSERTION_CODEC))],
    isCostly(spec) && ['costly', verbatim(true)],
    timeoutMs !== undefined && ['timeout', plainText(renderDuration(timeoutMs / 1000))],
    retries > 0 && ['retries', verbatim(retries)],
    ['onFailure', plainText('warn')],
  ];
  return properties.filter((property) => property !== false);
}
