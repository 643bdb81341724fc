import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { FAMILIES } from '../../src/wire/index.ts';
import { from, messagesOf, readKey } from './synthesized.ts';

type Fields = Readonly<Record<string, unknown>>;

const KEY = { key_id: '${keyplane_api_key.app.id}' };

const withCheck = (fields: Fields) =>
  readKey({}, { data: { keyplane_check: { a: from('prod/a', { ...KEY, module: 'chat', ...fields }) } } });

const withRequest = (request: Fields, more: Fields = {}) => withCheck({ ...more, request: JSON.stringify(request) });

describe('a check in Terraform JSON', () => {
  test.each([
    ['[1]', 'manifest.invalid-value prod/a: `request` is not valid JSON.'],
    [
      '{"timeout": 5}',
      'terraform.not-supported prod/a: The `request` of a check cannot have the field `timeout`: a manifest could not hold it.',
    ],
  ])('with the request %s is refused', async (request, expected) => {
    expect(messagesOf(await withCheck({ request }))).toEqual([expected]);
  });

  test.each([
    ['contains', '`expect { contains = … }`', 'Move it into `expect`.'],
    ['maxLatencyMs', '`expect { max_latency_ms = … }`', 'Move it into `expect` as `max_latency_ms`.'],
    ['json_schema', '`expect { json_schema = … }`', 'Move it into `expect`.'],
  ])('with the assertion %s in its request is refused', async (field, expected, hint) => {
    const { diagnostics, manifest, sources } = await withRequest({ [field]: 1 });
    const place = diagnostics[0]?.place;
    expect(sources.get(place?.file ?? '')?.split('\n')[(place?.line ?? 0) - 1]).toContain('"request"');
    expect(manifest).toBeUndefined();
    expect(diagnostics).toMatchObject([
      {
        code: 'manifest.unknown-field',
        message: `\`${field}\` is an assertion, not a field of a request.`,
        expected,
        hint,
        place: { construct: 'prod/a' },
      },
    ]);
  });

  test.each([
    ['modle', {}, 'Did you mean the attribute `model` of the check?'],
    ['retrys', {}, 'Did you mean the attribute `retries` of the check?'],
    ['Timeout', {}, 'Did you mean the attribute `timeout` of the check?'],
    ['shedule', {}, 'Did you mean the attribute `costly` of the check?'],
    ['expct', {}, 'Did you mean the attribute `expect` of the check?'],
    // The attribute itself is present, so this is another field.
    ['mode', { model: 'm1' }, undefined],
    ['temperature', {}, undefined],
  ])(
    'with %s in its request, besides %j, gets a suggestion if that is a misspelt attribute',
    async (name, more, hint) => {
      const { diagnostics } = await withRequest({ [name]: 1 }, more);
      expect(diagnostics.map((each) => [each.code, each.hint, each.place?.construct])).toEqual(
        hint === undefined ? [] : [['manifest.unknown-field', hint, 'prod/a']],
      );
    },
  );

  test('may have every field of a request in the contract', async () => {
    const shapes = FAMILIES.map(({ body }) => (body instanceof z.ZodObject ? Object.keys(body.shape) : []));
    const fields = [...new Set(shapes.flat())].filter((field) => field !== 'model');
    const { manifest } = await withRequest(Object.fromEntries(fields.map((field) => [field, 1])));
    expect(Object.keys(manifest?.checks[0]?.request ?? {})).toEqual(fields);
  });

  test.each([[{ contains: [] }], [{ contains: ['a', ''] }], [{ matches: '' }], [{ tool_call: '' }]])(
    'with the assertion %j, which every answer satisfies, is refused',
    async (assertions) => {
      expect(messagesOf(await withCheck({ expect: assertions }))).toEqual([
        `manifest.invalid-value prod/a: Invalid value for \`expect.${Object.keys(assertions)[0]}\`.`,
      ]);
    },
  );
});
