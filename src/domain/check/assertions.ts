import { ASSERTION_KINDS, type AssertionKind, type AssertionValues } from './assertion-kinds.ts';

interface AssertionRow {
  readonly kind: AssertionKind;
  /** The name of its Terraform attribute. */
  readonly terraform: string;
  /** Documents it in the manifest, in Terraform and in the constructs. */
  readonly doc: string;
}

/**
 * Everything that a check can assert of an answer beyond what its request already asks for: one row for each assertion,
 * under the name that it has in a manifest. Every language that declares checks derives its part from this table.
 */
export const ASSERTIONS = {
  contains: {
    kind: 'texts',
    terraform: 'contains',
    doc: 'Texts that the answer must contain, all of them. Case matters.',
  },
  matches: { kind: 'pattern', terraform: 'matches', doc: 'Regular expression that the answer must match.' },
  jsonSchema: {
    kind: 'jsonSchema',
    terraform: 'json_schema',
    doc: 'JSON Schema that the answer, read as JSON, must satisfy.',
  },
  toolCall: { kind: 'text', terraform: 'tool_call', doc: 'Name of the tool that the answer must call.' },
  dimensions: { kind: 'count', terraform: 'dimensions', doc: 'Exact number of dimensions of each vector.' },
  minDimensions: { kind: 'count', terraform: 'min_dimensions', doc: 'Minimum number of dimensions of each vector.' },
  minInputTokens: { kind: 'count', terraform: 'min_input_tokens', doc: 'Minimum number of tokens in the count.' },
  maxInputTokens: { kind: 'count', terraform: 'max_input_tokens', doc: 'Maximum number of tokens in the count.' },
  count: { kind: 'count', terraform: 'count', doc: 'Exact number of images in the answer.' },
  format: {
    kind: 'mediaFormat',
    terraform: 'format',
    doc: 'File format: `png`, `jpeg` or `webp` of an image, `mp4` of a video.',
  },
  width: { kind: 'count', terraform: 'width', doc: 'Exact width in pixels.' },
  height: { kind: 'count', terraform: 'height', doc: 'Exact height in pixels.' },
  minWidth: { kind: 'count', terraform: 'min_width', doc: 'Minimum width in pixels.' },
  minHeight: { kind: 'count', terraform: 'min_height', doc: 'Minimum height in pixels.' },
  seconds: { kind: 'seconds', terraform: 'seconds', doc: 'Length of the video in seconds, within half a second.' },
  audio: {
    kind: 'flag',
    terraform: 'audio',
    doc: '`true` if the video must have sound, `false` if it must be silent.',
  },
  maxLatencyMs: {
    kind: 'count',
    terraform: 'max_latency_ms',
    doc: 'Maximum time until the answer is complete, in milliseconds. For a video: until its task ends.',
  },
  maxFirstByteMs: {
    kind: 'count',
    terraform: 'max_first_byte_ms',
    doc: 'Maximum time until the first byte of the answer, in milliseconds.',
  },
  maxCost: {
    kind: 'usd',
    terraform: 'max_cost_usd',
    doc: 'Maximum cost in US dollars, exact, according to the usage log.',
  },
} as const satisfies Readonly<Record<string, AssertionRow>>;

export type AssertionName = keyof typeof ASSERTIONS;

/** The assertions that a check declares, in normal form. An omitted one is not checked. */
export type Assertions = {
  readonly [Name in AssertionName]?: AssertionValues[(typeof ASSERTIONS)[Name]['kind']];
};

export const ASSERTION_NAMES = Object.keys(ASSERTIONS) as readonly AssertionName[];

/** Assertions whose name is also the name of a field of a request. */
const ALSO_IN_REQUESTS: readonly AssertionName[] = ['dimensions', 'seconds'];

/** Assertions that are misplaced anywhere outside `expect`. */
export const MISPLACED_ASSERTIONS: readonly AssertionName[] = ASSERTION_NAMES.filter(
  (name) => !ALSO_IN_REQUESTS.includes(name),
);

const NAME_OF_TERRAFORM: ReadonlyMap<string, AssertionName> = new Map(
  ASSERTION_NAMES.map((name) => [ASSERTIONS[name].terraform, name]),
);

/** The assertion behind an attribute of Terraform. */
export const tryFindTerraformAssertion = (attribute: string): AssertionName | undefined =>
  NAME_OF_TERRAFORM.get(attribute);

/** Converts a value of each kind to some language. */
export type AssertionCodec<Output> = { readonly [K in AssertionKind]: (value: AssertionValues[K]) => Output };

/** Converts the declared assertions, in their order. */
export const mapAssertions = <Output>(
  assertions: Assertions,
  codec: AssertionCodec<Output>,
): readonly (readonly [name: AssertionName, output: Output])[] =>
  Object.entries(assertions).map(([key, value]) => {
    const name = key as AssertionName;
    const write = codec[ASSERTIONS[name].kind] as (value: unknown) => Output;
    return [name, write(value)];
  });

/** Brings values of assertions to normal form; omits a value that its kind rejects. */
export const readAssertions = (values: Iterable<readonly [name: AssertionName, value: unknown]>): Assertions =>
  Object.fromEntries(
    [...values].flatMap(([name, value]) => {
      const read: unknown = ASSERTION_KINDS[ASSERTIONS[name].kind].parse(value);
      return read === undefined ? [] : [[name, read]];
    }),
  );
