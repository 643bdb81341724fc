import { describe, expect, it } from 'vitest';
import {
  ASSERTION_KINDS,
  ASSERTION_NAMES,
  type AssertionCodec,
  type AssertionKind,
  bareCheck,
  CHECK_MODULES,
  type CheckReport,
  type CheckResult,
  type CheckSpec,
  checkError,
  checkFaults,
  checksMeant,
  checkVerdict,
  decimalOf,
  Fault,
  isFlaky,
  kindOfModule,
  LONGEST_ATTEMPT_S,
  MISPLACED_ASSERTIONS,
  mapAssertions,
  moduleDiagnostics,
  parseDefinition,
  quota,
  RESERVED_CHECK_NAMES,
  readAssertions,
  renderCheckMessage,
  tryFindTerraformAssertion,
} from '../../src/domain/index.ts';

describe('the value of an assertion', () => {
  const ACCEPTED: readonly (readonly [AssertionKind, unknown, unknown])[] = [
    ['text', '', ''],
    ['texts', 'one', ['one']],
    ['texts', ['one', 'two'], ['one', 'two']],
    ['pattern', '^\\p{Lu}', '^\\p{Lu}'],
    ['pattern', '', ''],
    ['jsonSchema', { type: 'object' }, { type: 'object' }],
    ['count', 1, 1],
    ['count', ' 12 ', 12],
    ['seconds', 0.5, 0.5],
    ['seconds', '2.5', 2.5],
    ['flag', true, true],
    ['flag', false, false],
    ['flag', 'true', true],
    ['flag', 'false', false],
    ['mediaFormat', 'webp', 'webp'],
    ['usd', '0', '0'],
    ['usd', 0.25, '0.25'],
    ['usd', '1.50', '1.5'],
  ];

  it.each(ACCEPTED)('of kind %s is brought to normal form: %j', (kind, written, value) => {
    expect(ASSERTION_KINDS[kind].parse(written)).toEqual(value);
  });

  const REJECTED: readonly (readonly [AssertionKind, readonly unknown[]])[] = [
    ['text', [1, null, ['a']]],
    ['texts', [1, ['a', 1], [1, 'a'], null]],
    ['pattern', ['(', '\\p{', 1, undefined]],
    ['jsonSchema', [null, [], '{}', 1]],
    ['count', [0, -1, 1.5, '', ' ', '1.5', 'x', null, true, 2 ** 53]],
    ['seconds', [0, -0.5, '', ' ', 'x', '1e999', null, true]],
    ['flag', ['TRUE', 'yes', 1, null, [true], ['true']]],
    ['mediaFormat', ['gif', 'PNG', 1]],
    ['usd', ['-0.01', 'x', '', null, ['1']]],
  ];

  it.each(REJECTED)('of kind %s is rejected: %j', (kind, values) => {
    expect(values.filter((value) => ASSERTION_KINDS[kind].parse(value) !== undefined)).toEqual([]);
  });

  it('has a description for each kind', () => {
    expect(Object.entries(ASSERTION_KINDS).map(([kind, { expected }]) => `${kind}: ${expected}`)).toEqual([
      'text: a string',
      'texts: a string or a list of strings',
      'pattern: a regular expression',
      'jsonSchema: a JSON object',
      'count: a whole number above 0',
      'seconds: a number above 0',
      'flag: `true` or `false`',
      'mediaFormat: one of png, jpeg, webp, mp4',
      'usd: an amount of US dollars that is not negative',
    ]);
  });

  it('is omitted when its kind rejects it', () => {
    const values = [
      ['width', '640'],
      ['height', 'tall'],
      ['audio', false],
    ] as const;
    expect(readAssertions(values)).toStrictEqual({ width: 640, audio: false });
  });

  it('is written by the codec of its kind, in the declared order', () => {
    const codec = Object.fromEntries(
      Object.keys(ASSERTION_KINDS).map((kind) => [kind, (value: unknown) => `${kind} ${JSON.stringify(value)}`]),
    ) as AssertionCodec<string>;
    expect(mapAssertions({ maxCost: '0.1', contains: ['a'] }, codec)).toEqual([
      ['maxCost', 'usd "0.1"'],
      ['contains', 'texts ["a"]'],
    ]);
  });
});

describe('the name of an assertion', () => {
  it('is found by its Terraform attribute', () => {
    expect(tryFindTerraformAssertion('max_first_byte_ms')).toBe('maxFirstByteMs');
    expect(tryFindTerraformAssertion('maxFirstByteMs')).toBeUndefined();
  });

  it('is misplaced outside `expect`, unless requests have a field of this name', () => {
    expect(ASSERTION_NAMES.filter((name) => !MISPLACED_ASSERTIONS.includes(name))).toEqual(['dimensions', 'seconds']);
  });
});

describe('a definition of a check', () => {
  it('is brought to normal form', () => {
    const input = { module: 'chat', model: 'alpha-chat-1', family: 'alpha', timeout: '24h', retries: '5' };
    expect(parseDefinition(input)).toEqual({
      parsed: {
        module: 'chat',
        model: 'alpha-chat-1',
        family: 'alpha',
        timeoutMs: LONGEST_ATTEMPT_S * 1000,
        retries: 5,
      },
      diagnostics: [],
    });
    expect(parseDefinition({})).toEqual({ parsed: {}, diagnostics: [] });
  });

  it.each([
    ['module', 'chats', 'one of chat, chat-stream, '],
    ['model', 'a,b', 'a model ID without commas, control characters or surrounding spaces'],
    ['family', '', 'the name of a family of models'],
    ['family', 'al\npha', 'the name of a family of models'],
    ['timeout', '25h', 'a duration such as `90s` or `5m`, at most `24h`'],
    ['timeout', '86401s', 'a duration such as `90s` or `5m`, at most `24h`'],
    ['timeout', '90', 'a duration such as `90s` or `5m`, at most `24h`'],
    ['retries', '6', 'a whole number from 0 to 5'],
    ['retries', '05', 'a whole number from 0 to 5'],
    ['retries', '-1', 'a whole number from 0 to 5'],
  ])('is rejected for an invalid %s: %j', (part, text, expected) => {
    const { parsed, diagnostics } = parseDefinition({ [part]: text });
    expect(parsed).toEqual({});
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        code: 'manifest.invalid-value',
        path: [part],
        message: `Invalid value for \`${part}\`.`,
        found: JSON.stringify(text),
        expected: expect.stringContaining(expected),
      },
    ]);
  });

  it.each<[Parameters<typeof moduleDiagnostics>[0], readonly string[]]>([
    [{ module: 'video', retries: 1 }, ['retries must be 0: each submission of a video costs money']],
    [{ module: 'video', retries: 0 }, []],
    [{ module: 'video' }, []],
    [{ module: 'chat', retries: 1 }, []],
    [{ module: 'chat', schedule: 'free' }, ['schedule must be `cheap` or `costly`: chat costs money']],
    [{ module: 'chat', schedule: 'cheap' }, []],
    [{ module: 'count-tokens', schedule: 'free' }, []],
    [{ module: 'model-list', schedule: 'free' }, []],
    [{ module: 'model-list', model: 'm' }, ['model must be omitted: model-list does not use a model']],
    [{ module: 'forbidden-address', model: 'm' }, ['model must be omitted: forbidden-address does not use a model']],
    [{ module: 'disabled-key', model: 'm' }, ['model must be omitted: disabled-key does not use a model']],
    [{ module: 'spoofed-address', model: 'm' }, ['model must be omitted: spoofed-address does not use a model']],
    [{ module: 'spoofed-address', schedule: 'free' }, []],
    [{ module: 'expired-key', model: 'm' }, ['model must be omitted: expired-key does not use a model']],
    [{ module: 'forbidden-model', model: 'm' }, []],
    [{ module: 'model-list' }, []],
  ])('is compared with what its module supports: %j', (definition, messages) => {
    expect(moduleDiagnostics(definition).map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual(messages);
  });

  it('lists the supported assertions in the words of the reader', () => {
    const diagnostic = checkError(['expect', 'width'], 'is not supported', ['maxCost', 'contains']);
    expect(diagnostic).toEqual({
      severity: 'error',
      code: 'manifest.invalid-check',
      path: ['expect', 'width'],
      message: 'is not supported',
      data: { supported: ['maxCost', 'contains'] },
    });
    expect(renderCheckMessage(diagnostic)).toBe('is not supported; it supports maxCost, contains');
    expect(renderCheckMessage(diagnostic, (name) => `<${name}>`)).toBe(
      'is not supported; it supports <maxCost>, <contains>',
    );
    expect(checkError(['model'], 'is missing')).not.toHaveProperty('data');
    expect(renderCheckMessage(checkError(['model'], 'is missing'))).toBe('is missing');
  });
});

describe('a selection of checks', () => {
  const spec = (name: string, module: CheckSpec['module']): CheckSpec => ({ ...bareCheck(module), name });
  const defined = [spec('hello', 'chat'), spec('bye', 'chat'), spec('count', 'count-tokens')];

  it.each<[string, readonly CheckSpec[] | undefined]>([
    ['bye', defined.slice(1, 2)],
    ['chat', defined.slice(0, 2)],
    ['model-list', [bareCheck('model-list')]],
    ['inference', undefined],
    ['free', undefined],
    ['nothing', undefined],
  ])('names %j', (word, checks) => {
    expect(checksMeant(word, defined)).toEqual(checks);
  });

  it('of a module without a definition asks nothing special', () => {
    expect(bareCheck('chat')).toEqual({
      name: 'chat',
      module: 'chat',
      request: {},
      expect: {},
      retries: 0,
      folder: '.',
    });
  });

  it('reserves the words that stand for several checks', () => {
    expect(RESERVED_CHECK_NAMES).toEqual(['inference', 'media', 'enforcement', 'bypass', 'free', 'cheap', 'costly']);
  });

  it('knows the kind of each module', () => {
    for (const [kind, modules] of Object.entries(CHECK_MODULES)) {
      expect(modules.map(kindOfModule)).toEqual(modules.map(() => kind));
    }
  });
});

describe('the faults of a run of checks', () => {
  const result = (check: string, verdict: CheckResult['verdict'], attempts = 1): CheckResult => ({
    key: 'k',
    check,
    module: 'chat',
    schedule: 'cheap',
    verdict,
    findings: [],
    attempts,
    cost: {},
    exchanges: [],
    artifacts: [],
  });
  const report = (more: Partial<CheckReport> = {}): CheckReport => ({
    startedAt: 0,
    durationMs: 0,
    results: [result('a', 'passed'), result('b', 'skipped')],
    remaining: {},
    capReached: false,
    interrupted: false,
    ...more,
  });
  const fatal = new Fault('gateway.timeout', 'It took too long.');
  const unprovable = [result('c', 'unprovable')];
  const failed = [result('a', 'passed'), result('b', 'failed'), result('c', 'unprovable'), result('d', 'failed')];

  it.each<[string, Partial<CheckReport>, boolean, readonly string[]]>([
    ['none when every check passed or was skipped', {}, true, []],
    ['the one that ended it', { fatal }, false, ['gateway.timeout: It took too long.']],
    ['an interruption', { interrupted: true }, false, ['gateway.interrupted: Interrupted before all checks had run.']],
    [
      'only its fault when a fault interrupted it',
      { interrupted: true, fatal },
      false,
      ['gateway.timeout: It took too long.'],
    ],
    ['one failed check', { results: [result('b', 'failed')] }, false, ['check.failed: 1 check failed.']],
    ['all failed checks together', { results: failed }, false, ['check.failed: 2 checks failed.']],
    ['unprovable checks when strict', { results: failed }, true, ['check.failed: 3 checks failed.']],
    ['none for unprovable checks otherwise', { results: unprovable }, false, []],
    [
      'charges above the limit, in dollars where the rate is known',
      { excess: quota(750_000), quotaPerUnit: decimalOf(500_000) },
      false,
      ['check.cost-cap: The checks cost $1.500000 more than the cost limit.'],
    ],
    [
      'charges above the limit, in units otherwise',
      { excess: quota(3) },
      false,
      ['check.cost-cap: The checks cost 3 units more than the cost limit.'],
    ],
    [
      'checks that the limit held back, last',
      { capReached: true, excess: quota(3), results: [result('b', 'failed')], interrupted: true },
      false,
      [
        'gateway.interrupted: Interrupted before all checks had run.',
        'check.failed: 1 check failed.',
        'check.cost-cap: The checks cost 3 units more than the cost limit.',
        'check.cost-cap: Some checks were skipped: they might have exceeded the cost limit.',
      ],
    ],
  ])('are %s', (_, more, strict, faults) => {
    const found = checkFaults(report(more), strict);
    expect(found.map(({ code, message }) => `${code}: ${message}`)).toEqual(faults);
    expect(checkVerdict(report(more), strict)?.message).toBe(found[0]?.message);
  });

  it('are lenient about unprovable checks unless asked', () => {
    expect(checkFaults(report({ results: unprovable }))).toEqual([]);
    expect(checkVerdict(report({ results: unprovable }))).toBeUndefined();
  });

  it('advise, and name what failed', () => {
    const faults = checkFaults(report({ results: failed, interrupted: true, excess: quota(3), capReached: true }));
    expect(faults.map(({ hint, remedy, detail }) => ({ hint, remedy, detail }))).toMatchInlineSnapshot(`
      [
        {
          "detail": {},
          "hint": "Run it again.",
          "remedy": undefined,
        },
        {
          "detail": {
            "failed": [
              {
                "check": "b",
                "key": "k",
              },
              {
                "check": "d",
                "key": "k",
              },
            ],
          },
          "hint": "The report names them, with the reasons.",
          "remedy": undefined,
        },
        {
          "detail": {
            "excess": 3,
          },
          "hint": "The gateway charged more than the price that it publishes or has charged before. The report has the charge of each check.",
          "remedy": undefined,
        },
        {
          "detail": {},
          "hint": "Raise the limit or run fewer checks.",
          "remedy": "raise-cost-cap",
        },
      ]
    `);
  });

  it('do not include a check that passed at a later attempt, which is flaky', () => {
    expect([result('a', 'passed'), result('a', 'passed', 2), result('a', 'failed', 2)].map(isFlaky)).toEqual([
      false,
      true,
      false,
    ]);
  });
});
