import { type AnyFamily, FAMILIES, INFERENCE_API, MEGABYTE, renderMediaLimits } from '../../src/wire/index.ts';
import type { GeneratedFiles } from './generated-files.ts';
import { fieldsOf } from './limits/fields.ts';
import { code, table } from './markdown.ts';

const NOTICE = '<!-- Generated from src/wire/families by `npm run generate`. Do not edit. -->';

const INTRO = `The limits of a request to the inference and media API. Keyplane rejects a request that exceeds them before it sends anything, with the fault \`request.invalid\`; the reference gateway rejects it with the gateway's own error. Fields that are not listed are sent unchanged.`;

function modelsOf({ models }: AnyFamily): string {
  if (models === undefined) return 'any model';
  const known = models.known.map(code).join(', ');
  if (models.prefix === undefined) return known;
  return `${known}${known && ', and '}other models that begin with ${code(models.prefix)}`;
}

/** When only one family has the endpoint, it also serves models that it does not list. */
const servesOthers = ({ endpoint, models }: AnyFamily): boolean =>
  models !== undefined && FAMILIES.filter((other) => other.endpoint === endpoint).length === 1;

function factsOf(family: AnyFamily): string {
  const { method, path } = INFERENCE_API[family.endpoint];
  const form = family.form === 'json' ? 'JSON' : '`multipart/form-data`';
  const others = servesOthers(family) ? '; other models get the limits that are not specific to one model' : '';
  return [
    `- Endpoint: ${code(`${method} ${path}`)}, ${form}`,
    `- Models: ${modelsOf(family)}${others}`,
    ...(family.maxBytes === undefined ? [] : [`- Whole body: at most ${family.maxBytes / MEGABYTE} MB`]),
  ].join('\n');
}

const fieldTable = (family: AnyFamily): string =>
  table(
    ['field', 'type', 'required', 'limit'],
    fieldsOf(family).map(({ path, type, required, limit }) => [code(path), type, required, limit]),
  );

const ruleTable = ({ rules }: AnyFamily): string =>
  table(
    ['field', 'rule'],
    rules.map(({ field, limit }) => [field === '' ? 'the whole body' : code(field), limit]),
  );

const fileTable = ({ media }: AnyFamily): string =>
  table(
    ['field', 'limit'],
    media.map(({ field, limits, sameFrameAs }) => [
      code(field),
      `${renderMediaLimits(limits)}${sameFrameAs ? '; the same width and height as the file that it belongs to' : ''}`,
    ]),
  );

const section = (family: AnyFamily): readonly string[] => [
  `## ${family.title}`,
  factsOf(family),
  fieldTable(family),
  ...(family.rules.length === 0 ? [] : ['Rules:', ruleTable(family)]),
  ...(family.media.length === 0 ? [] : ['Files, when Keyplane can read them before sending:', fileTable(family)]),
];

/** Writes docs/reference/limits.md: the limits of each request, from the families that validate requests. */
export const generateLimits = (files: GeneratedFiles): void =>
  files.settle(
    'docs/reference/limits.md',
    `${['# Limits of requests', NOTICE, INTRO, ...FAMILIES.flatMap(section)].join('\n\n')}\n`,
  );
