import { checkOptions, OPTION_RULES, type OptionRule, ofTexts } from '../../domain/index.ts';

const { signal, milliseconds, patience, callback, retries } = OPTION_RULES;

const STAGES: OptionRule = {
  accepts: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => each === undefined || milliseconds.accepts(each)),
  expected: `an object, each member of which is ${milliseconds.expected}`,
};

/** The options of all calls, and those of waiting for a task. */
const RULES: Readonly<Record<string, OptionRule>> = {
  signal,
  timeoutMs: milliseconds,
  maxRetries: retries,
  timeouts: STAGES,
  headers: ofTexts('an object of texts'),
  deadlineMs: patience,
  onTask: callback,
};

/** Checks the options of a call, which a program without types may have wrong. @throws Fault `usage.invalid` */
export const checkCallOptions = (options: unknown): void => checkOptions(options, RULES);
