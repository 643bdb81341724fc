import { describe, expect, it } from 'vitest';
import { DIAGNOSTIC_CODES, FAULTS, PLAN_NOTES } from '../src/domain/index.ts';
import { readTree } from './architecture/repository.ts';

const TABLES = ['src/domain/fault.ts', 'src/domain/diagnostic.ts', 'src/domain/plan.ts'];

const textOf = (folder: string, without: readonly string[]): string =>
  [...readTree([folder], ['.ts', '.txt', '.yaml', '.json'])]
    .filter(([path]) => !without.includes(path))
    .map(([, text]) => text)
    .join('\n');

const source = textOf('src', TABLES);
const tests = textOf('test', ['test/codes.test.ts']);
const CODES = [FAULTS, DIAGNOSTIC_CODES, PLAN_NOTES].flatMap((table) => Object.keys(table));

describe('the codes of faults, diagnostics and notes', () => {
  it('are all made somewhere: none is documented that nobody will ever see', () => {
    expect(CODES.filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });

  it('all occur in a test', () => {
    expect(CODES.filter((code) => !tests.includes(code))).toEqual([]);
  });
});
