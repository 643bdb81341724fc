import { ASSERTIONS, type AssertionName, MEDIA_FORMATS } from '../../src/domain/index.ts';
import type { GeneratedFiles } from './generated-files.ts';

type AssertionKind = (typeof ASSERTIONS)[AssertionName]['kind'];

const NOTICE = '// Generated from src/domain/check/assertions.ts by `npm run generate`. Do not edit.';

/** The type of each kind of assertion in a program. */
const TYPES: Readonly<Record<AssertionKind, string>> = {
  text: 'string',
  texts: 'string | readonly string[]',
  pattern: 'string',
  jsonSchema: '{ readonly [member: string]: JsonValue }',
  count: 'number',
  seconds: 'number',
  flag: 'boolean',
  mediaFormat: MEDIA_FORMATS.map((format) => `'${format}'`).join(' | '),
  usd: 'number | string',
};

const members = Object.entries(ASSERTIONS).map(
  ([name, { kind, doc }]) => `  /** ${doc} */\n  readonly ${name}?: ${TYPES[kind]};`,
);

/** Writes the assertions of a check as an interface of the constructs. */
export const generateSmokeCheckExpect = (files: GeneratedFiles): void =>
  files.settle(
    'constructs/cdk/check/smoke-check-expect.ts',
    `${NOTICE}
import type { JsonValue } from '../key/amounts.ts';

/** Assertions about the answer, beyond what the request already asks for. */
export interface SmokeCheckExpect {
${members.join('\n')}
}
`,
  );
