import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AnyFamily,
  CHAT,
  diagnosticOfLimit,
  FAMILIES,
  findFamily,
  mustNotBeSent,
  renderPath,
  requestDiagnostics,
  requestError,
  textUpTo,
  tryFindFamily,
} from '../../src/wire/index.ts';
import { conformingBody } from './families/conforming-body.ts';

const familyOf = (body: z.ZodType): AnyFamily => ({ ...findFamily('chat'), body, rules: [], media: [] });
const messagesOf = (body: z.ZodType, value: unknown) =>
  requestDiagnostics(familyOf(body), value).map(({ path, message }) => `${renderPath(path)}: ${message}`);
const chat = (fields: object) => ({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields });

describe('what is wrong with a request', () => {
  it.each([
    ['a number beyond its limit', { temperature: 3 }, 'temperature: too big: expected number to be <=2'],
    ['a number before its limit', { n: 0 }, 'n: too small: expected number to be >=1'],
    ['a field that is missing', { messages: undefined }, 'messages: is missing'],
    [
      'a field within a list',
      { messages: [{ role: 'user', content: 'a' }, { content: 'a' }] },
      'messages[1].role: is missing',
    ],
    ['another type', { stream: 'yes' }, 'stream: expected boolean, received string'],
    ['null', { stream: null }, 'stream: expected boolean, received null'],
    ['a list for an object', { logit_bias: [] }, 'logit_bias: expected object, received array'],
    ['a broken number, which is shown', { seed: 1.5 }, 'seed: expected integer, received 1.5'],
    [
      'a value that is not listed',
      { reasoning_effort: 'x' },
      'reasoning_effort: expected "low", "medium" or "high", received string',
    ],
    ['nothing where something must be', { messages: [] }, 'messages: must not be empty'],
    ['none of two types', { stop: 5 }, 'stop: expected string or array, received 5'],
    ['an item within one of two types', { stop: ['a', {}] }, 'stop[1]: expected string, received object'],
    [
      'a tag that nobody knows',
      { tools: [{ type: 'x' }] },
      'tools[0].type: expected "function" or "web_search_20250305", received string',
    ],
    ['a tag that is missing', { tools: [{}] }, 'tools[0].type: is missing'],
    [
      'a part that lacks something, rather than its being of another type',
      { messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] },
      'messages[0].content[0].file.url: is missing',
    ],
    [
      'a rule that is broken',
      { tool_choice: 'f' },
      'tool_choice: "f" is none of auto, none, required, and no tool of `tools`',
    ],
  ])('is reported in words: %s', (_, fields, text) => {
    expect(
      requestDiagnostics(CHAT, chat(fields)).map(({ path, message }) => `${renderPath(path)}: ${message}`),
    ).toEqual([text]);
  });

  it.each([null, undefined, 5, 'text', []])('is reported for a body that is %j', (body) => {
    for (const family of FAMILIES)
      expect(requestDiagnostics<unknown>(family as AnyFamily, body)[0]?.path, family.id).toEqual([]);
  });

  it('is reported for every field, not for the first only', () => {
    const paths = requestDiagnostics(CHAT, { ...chat({}), top_p: 2, n: 0, model: '' }).map(({ path }) =>
      renderPath(path),
    );
    expect(paths.sort()).toEqual(['model', 'n', 'top_p']);
  });

  it('is nothing where fields are sent that the contract does not know', () => {
    expect(requestDiagnostics(CHAT, chat({ stream_options: { include_usage: true }, metadata: null }))).toEqual([]);
  });
});

describe('of a value that may be one of several', () => {
  const tagged = z.union([
    z.object({ kind: z.literal('a'), size: z.number(), name: z.string() }),
    z.object({ kind: z.literal('b'), other: z.string() }),
  ]);

  it('the one whose tag matches is reported, although it has more issues', () => {
    expect(messagesOf(z.object({ v: tagged }), { v: { kind: 'a' } })).toEqual([
      'v.size: is missing',
      'v.name: is missing',
    ]);
  });

  it('the nearest is reported when no tag matches', () => {
    expect(messagesOf(z.object({ v: tagged }), { v: { kind: 'c' } })).toEqual([
      'v.kind: expected "b", received string',
      'v.other: is missing',
    ]);
  });

  it('all are named when it is none by its type', () => {
    const body = z.object({ v: z.union([z.boolean(), z.literal('auto'), tagged]) });
    expect(messagesOf(body, { v: 5 })).toEqual(['v: expected boolean, "auto" or object, received 5']);
    expect(messagesOf(body, {})).toEqual(['v: is missing']);
  });

  it('an alternative within an alternative is reported at its own path', () => {
    const body = z.object({ v: z.union([z.string(), z.array(z.union([z.string(), tagged]))]) });
    expect(messagesOf(body, { v: ['x', { kind: 'b', other: 1 }] })).toEqual([
      'v[1].other: expected string, received 1',
    ]);
  });
});

describe('a rule', () => {
  const rule = mustNotBeSent<{ a?: unknown }>('a', 'not at all', (model) => model === 'm');
  const family = { ...familyOf(z.looseObject({})), rules: [rule] };

  it('is asked with the model of the body, or with that of the path', () => {
    expect(requestDiagnostics(family, { a: 1, model: 'm' })).toEqual([requestError(['a'], 'must not be sent')]);
    expect(requestDiagnostics(family, { a: null }, { model: 'm' })).toHaveLength(1);
    expect(requestDiagnostics(family, { a: 1, model: 'm' }, { model: 'n' })).toEqual([]);
    expect(requestDiagnostics(family, { a: 1 })).toEqual([]);
    expect(requestDiagnostics(family, { model: 'm' })).toEqual([]);
  });

  it('of each family has words for people', () => {
    for (const { id, rules } of FAMILIES) {
      for (const { field, limit } of rules) {
        expect(limit, `${id}, ${field}`).toMatch(/\S+ \S+/);
      }
    }
  });
});

describe('a text of limited length', () => {
  it('is counted in characters, as people count them', () => {
    const body = z.object({ t: textUpTo(3) });
    expect(messagesOf(body, { t: 'abc' })).toEqual([]);
    expect(messagesOf(body, { t: '😀😀😀' })).toEqual([]);
    expect(messagesOf(body, { t: 'abcd' })).toEqual(['t: too long: at most 3 characters']);
    expect(messagesOf(body, { t: '😀😀😀😀' })).toEqual(['t: too long: at most 3 characters']);
  });
});

describe('a path', () => {
  it('is written as in the contract', () => {
    expect(renderPath(['messages', 0, 'content', 1, 'text'])).toBe('messages[0].content[1].text');
    expect(renderPath([])).toBe('');
  });

  it.each(['', 'model', 'messages[0].content[1].text', 'metadata.content[].audio_url.url'])(
    'of the broken limit %j is rendered as its rule states it',
    (path) => {
      expect(renderPath(diagnosticOfLimit({ path, message: 'is wrong' }).path)).toBe(path);
    },
  );
});

describe('the family of a request', () => {
  it('is the only one of its endpoint, whatever the model', () => {
    expect(tryFindFamily('chat', 'any')?.id).toBe('chat');
    expect(tryFindFamily('embedContent', 'any')?.id).toBe('native-embedding');
  });

  it('is none where several share the endpoint and no one claims the model', () => {
    expect(tryFindFamily('submitVideo', 'nobody-knows')).toBeUndefined();
  });

  it('is found by its id, and every id is of one family', () => {
    for (const family of FAMILIES) expect(findFamily(family.id)).toBe(family);
    expect(new Set(FAMILIES.map(({ id }) => id)).size).toBe(FAMILIES.length);
  });
});

/** The names of fields, so that arbitrary bodies get past the first field of a schema. */
const NAMES = [
  ...['model', 'messages', 'role', 'content', 'type', 'text', 'tools', 'tool_choice', 'function', 'name', 'input'],
  ...['prompt', 'image', 'images', 'mask', 'size', 'n', 'parameters', 'metadata', 'resolution', 'duration', 'ratio'],
  ...['contents', 'parts', 'inlineData', 'requests', 'storage_options', 'public_url', 'url', 'seconds', '__proto__'],
];
const WORDS = ['user', 'text', 'image_url', 'first_frame', 'data:image/png;base64,AAAA', '16:9', '1024x1024', ''];

const { body: arbitraryBody } = fc.letrec((tie) => ({
  leaf: fc.oneof(fc.constantFrom<unknown>(...WORDS, null, true, 1, 0, -1, 0.5), fc.string(), fc.double()),
  list: fc.array(tie('value'), { maxLength: 3 }),
  body: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 6 }),
  value: fc.oneof({ maxDepth: 5 }, tie('leaf'), tie('list'), tie('body')),
}));
const models = FAMILIES.flatMap((family: AnyFamily) => family.models?.known ?? []);

function expectWords(of: AnyFamily, body: unknown, model: string | undefined): void {
  for (const { path, message } of requestDiagnostics(of, body, { model })) {
    expect(typeof renderPath(path)).toBe('string');
    expect(message).toMatch(/\S+ \S+/);
    expect(message).not.toMatch(/undefined|\[object|invalid input/i);
  }
}

describe('for any body', () => {
  const family = fc.constantFrom<AnyFamily>(...FAMILIES);
  const model = fc.option(fc.constantFrom(...models, 'unknown', '__proto__', 'constructor'), { nil: undefined });

  it('any family reports issues and throws nothing', () => {
    const body = fc.oneof(arbitraryBody, fc.jsonValue());
    fc.assert(fc.property(family, body, model, expectWords), { numRuns: 3000 });
  });

  it.each<AnyFamily>([...FAMILIES])('that the schema of $id takes, nothing is thrown by its rules', (of) => {
    const named = fc.constantFrom(...(of.models?.known ?? []), 'unknown');
    let judged = 0;
    const property = fc.property(conformingBody(of), named, (body, name) => {
      const given = 'model' in (body as object) ? { ...(body as object), model: name } : body;
      if (of.body.safeParse(given).success) judged += 1;
      expectWords(of, given, name);
    });
    fc.assert(property, { numRuns: 1000, seed: 7 });
    expect(judged).toBeGreaterThan(0);
  });

  it('the same body yields the same issues', () => {
    fc.assert(
      fc.property(family, arbitraryBody, (of, body) => {
        expect(requestDiagnostics(of, structuredClone(body))).toEqual(requestDiagnostics(of, body));
      }),
    );
  });
});
