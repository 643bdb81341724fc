// Writes docs/reference/limits.md: what the contract allows in each request, from the families in src/wire that judge
// requests. With --check it writes nothing and fails when the file is not what it would write. Needs a build.
import { FAMILIES, INFERENCE_API, MEGABYTE, renderMediaLimits } from '../dist/src/wire/index.js';
import { settle } from './generated-file.mjs';
import { fieldsOf } from './limits/fields.mjs';

const NOTICE = '<!-- Made by scripts/generate-limits.mjs from src/wire/families. Do not edit. -->';

const INTRO = `What a request to the inference and media API may hold. Keyplane refuses what is outside of these limits before anything is sent, with the fault \`request.invalid\`, and the reference gateway refuses it with the gateway's own error. Fields that are not listed pass as they are.`;

const code = (text) => `\`${text}\``;
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells) => `| ${cells.map(cell).join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function modelsOf({ models }) {
  if (models === undefined) return 'any model';
  const known = models.known.map(code).join(', ');
  if (models.prefix === undefined) return known;
  return `${known}${known && ', and '}other models that begin with ${code(models.prefix)}`;
}

/** Where only one family has the endpoint, its models are the known ones and others pass. */
function isAlone({ endpoint, models }) {
  return models !== undefined && FAMILIES.filter((other) => other.endpoint === endpoint).length === 1;
}

function factsOf(family) {
  const { method, path } = INFERENCE_API[family.endpoint];
  const form = family.form === 'json' ? 'JSON' : '`multipart/form-data`';
  return [
    `- Endpoint: ${code(`${method} ${path}`)}, ${form}`,
    `- Models: ${modelsOf(family)}${isAlone(family) ? "; other models get the limits that are not one model's" : ''}`,
    ...(family.maxBytes === undefined ? [] : [`- Whole body: at most ${family.maxBytes / MEGABYTE} MB`]),
  ].join('\n');
}

const ruleOf = ({ field, limit }) => [field === '' ? 'the whole body' : code(field), limit];

const filesOf = ({ field, limits, sameFrameAs }) => [
  code(field),
  `${renderMediaLimits(limits)}${sameFrameAs ? '; as many pixels wide and high as the file that it goes with' : ''}`,
];

const section = (family) => [
  `## ${family.title}`,
  factsOf(family),
  table(
    ['field', 'type', 'required', 'limit'],
    fieldsOf(family).map(({ path, type, required, limit }) => [code(path), type, required, limit]),
  ),
  ...(family.rules.length === 0 ? [] : ['Rules:', table(['field', 'rule'], family.rules.map(ruleOf))]),
  ...(family.media.length === 0
    ? []
    : [
        'Files, as far as they can be read before they are sent:',
        table(['field', 'limit'], family.media.map(filesOf)),
      ]),
];

settle(
  'docs/reference/limits.md',
  `${['# Limits of requests', NOTICE, INTRO, ...FAMILIES.flatMap(section)].join('\n\n')}\n`,
);
