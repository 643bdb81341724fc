/** Hints for sinks: each guesses what the person meant, and is silent when it cannot. */

import { didYouMean, fieldsIn, inBrackets } from './form.ts';

const ENTRY_FORMATS: readonly unknown[] = ['dotenv', 'json', 'yaml'];

/** Advises on a sink that is one string: the path of a file. */
export const adviseSink = (text: string): string | undefined =>
  text.trim() === '' ? undefined : didYouMean(`{ file: ${text}, format: dotenv, as: LLM_API_KEY }`);

/** Advises on a file that lacks a field, or has a format that does not exist. */
export function adviseSinkParts(data: unknown): string | undefined {
  const fields = Array.isArray(data) ? undefined : fieldsIn(data);
  if (fields?.file === undefined || 'encrypt' in fields) return undefined;
  const { format, as } = fields;
  if (format === undefined) return 'Add `format`: `dotenv`, `json` or `yaml`, each with `as`, or `raw`.';
  if (ENTRY_FORMATS.includes(format)) {
    return as === undefined ? 'Add `as`, the name of the entry that holds the secret.' : undefined;
  }
  return format === 'raw' ? undefined : '`format` is `dotenv`, `json`, `yaml` or `raw`.';
}

/** Advises on a program with its arguments in one string. Quotes are left to the person. */
export const adviseArgv = (text: string): string | undefined =>
  /^[^\s'"`\\]+(\s+[^\s'"`\\]+)*$/u.test(text) ? didYouMean(`exec: ${inBrackets(text.split(/\s+/u))}`) : undefined;
