import type { CheckModule, CheckSpec } from '../../src/domain/index.ts';

type Spec = Partial<CheckSpec>;

/** One way in which a gateway can fail, and how modules detect it. */
export interface InjectedFailure {
  readonly name: string;
  /** The body for `POST /_reference/faults`. It may override method and path. */
  readonly fault: object;
  /** The modules that detect it, with the expected finding and the check that reveals it. */
  readonly found: { readonly [M in CheckModule]?: Detection };
  /** The reason that it does not concern the other modules. */
  readonly elsewhere: string;
}

export interface Detection {
  /** The code of a fault, or a claim that does not hold. */
  readonly by: RegExp;
  readonly spec?: Spec;
  /** Another key than the one that may do everything. */
  readonly key?: string;
  /** The extra access that the check needs. */
  readonly needs?: 'receiver' | 'alternateRoute' | 'frontProxy';
}

const TEXT = ['chat', 'chat-stream', 'responses', 'responses-stream'] as const;
const VECTORS = ['embeddings', 'embeddings-native', 'embeddings-batch'] as const;
const INFERENCE = [...TEXT, ...VECTORS, 'count-tokens'] as const;
const PICTURES = ['image', 'image-edit', 'image-edit-stream', 'image-stream'] as const;
/** The modules that ask a model for an answer in the response itself. */
export const ASKING = [...INFERENCE, ...PICTURES] as const;
const PAID = [...TEXT, ...VECTORS, ...PICTURES, 'video'] as const;
const REFUSING = ['forbidden-model', 'disabled-key', 'expired-key', 'exhausted-key'] as const;

const same = (
  modules: readonly CheckModule[],
  by: RegExp,
  more: Omit<Detection, 'by'> = {},
): InjectedFailure['found'] => Object.fromEntries(modules.map((module) => [module, { by, ...more }]));

const FILM = { model: 'epsilon-video-2-0-260128' };
const DOWNLOAD = { model: 'film-download', family: 'download-video' };
const SCHEMA = { type: 'object', required: ['item'], properties: { item: { type: 'string' } } };
const STRUCTURED = {
  request: { response_format: { type: 'json_schema', json_schema: { name: 'order', schema: SCHEMA } } },
} as const;
const TOOL = { type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } } as const;
const CALLING = { request: { tools: [TOOL], tool_choice: 'required' } };
const ERROR = { error: { message: 'out of order', type: 'server_error', code: 'upstream_error' } };
const v1 = { path: '/v1*' };
const OWN_WORDS = { request: { messages: [{ role: 'user', content: 'Are you ready?' }] } } as const;

/** The answer to a chat, with the text of an earlier one. */
const completion = (named: object): object => ({
  ...named,
  choices: [{ index: 0, message: { role: 'assistant', content: 'keyplane is ready 000000' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 },
});
const response = (status: object): object => ({
  model: 'alpha-chat-1',
  ...status,
  output: [{ type: 'message', content: [{ type: 'output_text', text: 'keyplane is ready 000000' }] }],
});

const NO_VECTORS = 'its answer has no vectors';
const NO_PICTURES = 'its answer has no images';
const NO_TASK = 'it submits no task';
const NO_TEXT = 'its answer has no text of the model’s';
const NO_USAGE = 'its answer has no usage figures';
const NO_STREAM = 'its answer is not a stream';
const NOT_ASKED = 'its request has no such field';
const OTHER_RULE = 'it proves another rule';

const unmade = (how: string): object => ({ kind: 'task', how });

export const INJECTED_FAILURES: readonly InjectedFailure[] = [
  {
    name: 'vectors of another dimension',
    fault: { kind: 'vectors', how: 'short' },
    found: {
      embeddings: { by: /the vectors have 1536 dimensions/ },
      ...same(['embeddings-native', 'embeddings-batch'], /the vectors have 768 dimensions/, {
        spec: { expect: { dimensions: 768 } },
      }),
    },
    elsewhere: NO_VECTORS,
  },
  {
    name: 'vectors of nothing but zeros',
    fault: { kind: 'vectors', how: 'zero' },
    found: same(VECTORS, /no vector has only zeros/),
    elsewhere: NO_VECTORS,
  },
  {
    name: 'vectors with values that are not numbers',
    fault: { kind: 'vectors', how: 'not-finite' },
    found: same(VECTORS, /gateway.unexpected-shape|all numbers of the vectors are finite/),
    elsewhere: NO_VECTORS,
  },
  {
    name: 'a vector too few',
    fault: { kind: 'vectors', how: 'one-less' },
    found: same(VECTORS, /as many vectors as texts|gateway.unexpected-shape/),
    elsewhere: NO_VECTORS,
  },
  {
    name: 'vectors in another order',
    fault: { kind: 'vectors', how: 'swapped' },
    found: {
      embeddings: { by: /the order of the texts/ },
      'embeddings-batch': { by: /the first vector of the batch is the same as requested alone/ },
    },
    elsewhere: 'its answer has no vectors, or one only',
  },
  {
    name: 'the same vector for every text',
    fault: { kind: 'vectors', how: 'same' },
    found: same(['embeddings', 'embeddings-batch'], /different texts have different vectors/),
    elsewhere: 'its answer has no vectors, or one only',
  },
  {
    name: 'an ignored `dimensions`',
    fault: { kind: 'ignore-field', field: 'dimensions' },
    found: { embeddings: { by: /the vectors have 256 dimensions/, spec: { request: { dimensions: 256 } } } },
    elsewhere: NOT_ASKED,
  },
  {
    name: 'an ignored `outputDimensionality`',
    fault: { kind: 'ignore-field', field: 'outputDimensionality' },
    found: {
      'embeddings-native': { by: /the vectors have 256 dimensions/, spec: { request: { outputDimensionality: 256 } } },
    },
    elsewhere: NOT_ASKED,
  },
  {
    name: 'an ignored `response_format`',
    fault: { kind: 'ignore-field', field: 'response_format' },
    found: same(['chat', 'chat-stream'], /the answer is JSON/, { spec: STRUCTURED }),
    elsewhere: NOT_ASKED,
  },
  {
    name: 'an ignored `tool_choice`',
    fault: { kind: 'ignore-field', field: 'tools' },
    found: same(['chat', 'chat-stream'], /a tool is called|request.refused/, { spec: CALLING }),
    elsewhere: NOT_ASKED,
  },
  {
    name: 'an ignored `n`',
    fault: { kind: 'ignore-field', field: 'n' },
    found: {
      ...same(['chat', 'chat-stream'], /as many choices as requested: 2/, { spec: { request: { n: 2 } } }),
      ...same(['image', 'image-edit'], /has 2 images/, { spec: { model: 'alpha-image-2', request: { n: 2 } } }),
    },
    elsewhere: NOT_ASKED,
  },
  {
    name: 'an ignored `stop`',
    fault: { kind: 'ignore-field', field: 'stop' },
    found: same(['chat', 'chat-stream'], /ends before the stop sequence "is"/, { spec: { request: { stop: 'is' } } }),
    elsewhere: NOT_ASKED,
  },
  {
    name: 'an ignored `size`',
    fault: { kind: 'ignore-field', field: 'size' },
    found: {
      ...same(['image', 'image-edit', 'image-edit-stream', 'image-stream'], /requested size, 1536 × 1024/, {
        spec: { model: 'alpha-image-2', request: { size: '1536x1024' } },
      }),
      video: { by: /requested size, 640 × 480/, spec: { ...DOWNLOAD, request: { size: '640x480' } } },
    },
    elsewhere: NOT_ASKED,
  },
  {
    name: 'an empty text',
    fault: { kind: 'text', how: 'empty' },
    found: same(TEXT, /the answer has text/),
    elsewhere: NO_TEXT,
  },
  {
    name: 'half of a text',
    fault: { kind: 'text', how: 'half' },
    found: same(TEXT, /the answer is complete/),
    elsewhere: NO_TEXT,
  },
  {
    name: 'a chat from a cache',
    fault: { kind: 'answer', body: completion({ model: 'alpha-chat-1' }) },
    found: {
      chat: { by: /the number of this question/, spec: { model: 'alpha-chat-1' } },
    },
    elsewhere: 'its answer has another form',
  },
  {
    name: 'a chat that names no model, and is not billed',
    fault: { kind: 'answer', body: completion({}) },
    found: { chat: { by: /^unprovable/, spec: { model: 'alpha-chat-1', ...OWN_WORDS } } },
    elsewhere: 'its answer has another form',
  },
  {
    name: 'a response from a cache',
    fault: { kind: 'answer', body: response({ status: 'completed' }) },
    found: { responses: { by: /the number of this question/, spec: { model: 'alpha-chat-1' } } },
    elsewhere: 'its answer has another form',
  },
  {
    name: 'a response without a status',
    fault: { kind: 'answer', body: response({}) },
    found: {
      responses: {
        by: /the response is completed/,
        spec: { model: 'alpha-chat-1', request: { input: 'Are you ready?' } },
      },
    },
    elsewhere: 'its answer has another form',
  },
  {
    name: 'an answer of status 200 that is an error',
    fault: { kind: 'answer', body: ERROR, times: 5, ...v1 },
    found: {
      ...same([...INFERENCE, ...PICTURES, 'model-list'], /^(gateway|request)\./),
      video: { by: /^(gateway|request)\./, spec: FILM },
      'forbidden-model': { by: /^(gateway|request)\.|unprovable/, key: 'narrow' },
      'forbidden-address': { by: /^(gateway|request)\./, key: 'here', needs: 'alternateRoute' },
      'spoofed-address': { by: /^(gateway|request)\./, key: 'here', needs: 'frontProxy' },
      'disabled-key': { by: /^(gateway|request)\./, key: 'off' },
      'expired-key': { by: /^(gateway|request)\./, key: 'over' },
      'exhausted-key': { by: /^(gateway|request)\./, key: 'spent' },
    },
    elsewhere: '',
  },
  {
    name: 'an answer that breaks off',
    // Enough for the retries of two concurrent requests.
    fault: { kind: 'truncated', times: 10, ...v1 },
    found: {
      ...same(
        [...INFERENCE, ...PICTURES, 'model-list'],
        /^(gateway\.(connection-lost|unreachable|unexpected-shape)|stream)/,
      ),
      video: { by: /^gateway\.indeterminate/, spec: FILM },
      'forbidden-model': { by: /^gateway\./, key: 'narrow' },
      'forbidden-address': { by: /^gateway\./, key: 'here', needs: 'alternateRoute' },
      'spoofed-address': { by: /^gateway\./, key: 'here', needs: 'frontProxy' },
      'disabled-key': { by: /^gateway\./, key: 'off' },
      'expired-key': { by: /^gateway\./, key: 'over' },
      'exhausted-key': { by: /^gateway\./, key: 'spent' },
    },
    elsewhere: '',
  },
  {
    name: 'a stream without its final event',
    fault: { kind: 'no-final-event' },
    found: same(['chat-stream', 'responses-stream', 'image-edit-stream', 'image-stream'], /^stream\.broken/),
    elsewhere: NO_STREAM,
  },
  {
    name: 'another model, which the answer admits',
    fault: { kind: 'substitute-model', model: 'alpha-chat-2' },
    found: {
      ...same(TEXT, /the answer is from the requested model/, { spec: { model: 'alpha-chat-1' } }),
      embeddings: { by: /the answer is from the requested model/ },
    },
    elsewhere: 'its answer does not name the model, or it asks no model like this one',
  },
  {
    name: 'another model, which only the bill admits',
    fault: { kind: 'substitute-model', model: 'alpha-chat-2', admits: false },
    found: same(TEXT, /billed as the requested model/, { spec: { model: 'alpha-chat-1' } }),
    elsewhere: 'it is not billed, or it asks no model like this one',
  },
  {
    name: 'missing usage figures',
    fault: { kind: 'usage', how: 'missing' },
    found: same(['chat', 'chat-stream', 'embeddings'], /the answer reports its usage/),
    elsewhere: `${NO_USAGE}, or the contract does not show that it has`,
  },
  {
    name: 'usage figures that do not add up',
    fault: { kind: 'usage', how: 'wrong' },
    found: {
      ...same([...TEXT, ...VECTORS], /the total (is|equals)/),
      ...same(PICTURES, /the usage figures add up/, { spec: { model: 'alpha-image-2' } }),
    },
    elsewhere: NO_USAGE,
  },
  {
    name: 'no tokens, however long the text',
    fault: { kind: 'tokens', how: 'zero', times: 2 },
    found: { 'count-tokens': { by: /it counts tokens/ } },
    elsewhere: 'it counts no tokens',
  },
  {
    name: 'as many tokens, however long the text',
    fault: { kind: 'tokens', how: 'constant', times: 2 },
    found: { 'count-tokens': { by: /a longer request counts more/ } },
    elsewhere: 'it counts no tokens',
  },
  {
    name: 'a first byte that is slow',
    fault: { kind: 'hold', ...v1 },
    found: {
      ...same([...INFERENCE], /the first byte of the answer arrives within 1000 ms/, {
        spec: { expect: { maxFirstByteMs: 1000 } },
      }),
      ...same(PICTURES, /the first byte of the answer arrives within 1000 ms/, {
        spec: { model: 'alpha-image-2', expect: { maxFirstByteMs: 1000 } },
      }),
    },
    elsewhere: 'how long a task or a rejection takes is not checked by its first byte',
  },
  ...(
    [
      ['flat', /is not a single colour/, PICTURES],
      ['resized', /size|resolution/, PICTURES],
      ['corrupt', /can be decoded/, PICTURES],
      ['other-format', /is png/, PICTURES],
      ['one-less', /has one image|^stream\.broken/, PICTURES],
      ['unchanged', /differs from its source/, ['image-edit', 'image-edit-stream']],
    ] as const
  ).map(
    ([how, by, modules]): InjectedFailure => ({
      name: `images that are ${how}`,
      fault: { kind: 'pictures', how },
      found: same(modules, by, { spec: { model: 'alpha-image-2' } }),
      elsewhere: how === 'unchanged' ? 'it edits nothing' : NO_PICTURES,
    }),
  ),
  ...(
    [
      ['stuck', /^video\.unsettled/, {}],
      ['expires', /the task succeeds/, {}],
      ['fails', /the task succeeds/, {}],
      ['short', /the video lasts 4 s/, {}],
      ['resized', /its frames/, {}],
      ['corrupt', /MP4 that can be read|every frame is complete/, {}],
      ['no-url', /^media\.damaged/, {}],
      ['no-sound', /the video has sound/, {}],
      ['lying-callback', /the callback reports the status/, { needs: 'receiver' }],
      ['no-callback', /a callback reports the task/, { needs: 'receiver' }],
    ] as const
  ).map(
    ([how, by, more]): InjectedFailure => ({
      name: `a task: ${how}`,
      fault: unmade(how),
      found: { video: { by, spec: { ...FILM, name: `video ${how}` }, ...more } },
      elsewhere: NO_TASK,
    }),
  ),
  {
    name: 'a model that is let in',
    fault: { kind: 'lenient', rule: 'model', ...v1 },
    found: { 'forbidden-model': { by: /rejects .* not in its allowlist/, key: 'narrow' } },
    elsewhere: OTHER_RULE,
  },
  {
    name: 'a listing of models that are not allowed',
    fault: { kind: 'answer', body: { object: 'list', data: [{ id: 'alpha-chat-1' }, { id: 'other' }] }, ...v1 },
    found: { 'model-list': { by: /no other model is listed/, key: 'narrow' } },
    elsewhere: OTHER_RULE,
  },
  {
    name: 'a disabled key that is let in',
    fault: { kind: 'lenient', rule: 'status', ...v1 },
    found: { 'disabled-key': { by: /rejects .* with the disabled key/, key: 'off' } },
    elsewhere: OTHER_RULE,
  },
  {
    name: 'an expired key that is let in',
    fault: { kind: 'lenient', rule: 'expiry', ...v1 },
    found: { 'expired-key': { by: /rejects .* with the expired key/, key: 'over' } },
    elsewhere: OTHER_RULE,
  },
  {
    name: 'an exhausted key that is let in',
    fault: { kind: 'lenient', rule: 'quota', ...v1 },
    found: { 'exhausted-key': { by: /rejects the exhausted key/, key: 'spent' } },
    elsewhere: OTHER_RULE,
  },
  {
    name: 'a forbidden address that is let in',
    fault: { kind: 'lenient', rule: 'address', ...v1 },
    found: { 'forbidden-address': { by: /rejects the key from 127\.0\.0\.2/, key: 'here', needs: 'alternateRoute' } },
    elsewhere: OTHER_RULE,
  },
];

const FORBIDDEN: { readonly [M in CheckModule]?: Spec } = { 'forbidden-model': { model: 'alpha-chat-2' } };

/** The check and the key of each module on a working gateway, unless a row overrides them. */
export const HONEST: {
  readonly [M in CheckModule]: { readonly spec: Spec; readonly key?: string; needs?: 'alternateRoute' | 'frontProxy' };
} = {
  ...(Object.fromEntries([...PAID, 'count-tokens', 'model-list'].map((module) => [module, { spec: {} }])) as {
    readonly [M in CheckModule]: { readonly spec: Spec };
  }),
  video: { spec: FILM },
  'forbidden-address': { spec: {}, key: 'here', needs: 'alternateRoute' },
  'spoofed-address': { spec: {}, key: 'here', needs: 'frontProxy' },
  ...(Object.fromEntries(
    REFUSING.map((module, index) => [
      module,
      { spec: FORBIDDEN[module] ?? {}, key: ['narrow', 'off', 'over', 'spent'][index] },
    ]),
  ) as { readonly [M in (typeof REFUSING)[number]]: { readonly spec: Spec; readonly key: string } }),
};
