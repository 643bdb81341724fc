import { looksLikeCredential } from '../credential.ts';
import { tryParseInstant } from '../kinds/instant.ts';
import { parseIpRule } from '../kinds/ip-rule.ts';
import { GROUP_NAME, MODEL_ID } from './fields.ts';
import { nameProblem } from './name.ts';

/** What is wrong with something that was written, and what to write instead. */
export interface FieldProblem {
  readonly summary: string;
  readonly detail?: string;
}

/** How languages with a type for each field say that a key has no end. */
export const NEVER = 'never';

const quoted = (text: string): string => JSON.stringify(text);

const pasted = (what: string): FieldProblem => ({
  summary: `${what} looks like an API key`,
  detail: 'It is shown everywhere. If this is a credential, revoke it.',
});

/** Rules for single values of a key, wherever they are written: undefined when a value is fine. No value here is a secret. */
export function namingProblem(name: string): FieldProblem | undefined {
  if (looksLikeCredential(name)) return pasted('The name');
  const problem = nameProblem(name);
  return problem ? { summary: 'The name of a key is not allowed', detail: `${quoted(name)}: ${problem}.` } : undefined;
}

export function groupProblem(group: string): FieldProblem | undefined {
  if (looksLikeCredential(group)) return pasted('The group');
  if (GROUP_NAME.test(group)) return undefined;
  return {
    summary: 'Not the name of a group',
    detail: `${quoted(group)}: write one of the account’s groups, or nothing.`,
  };
}

const refused = (text: string, detail: string): FieldProblem => ({
  summary: `${quoted(text)} is not allowed here`,
  detail,
});

export function modelProblem(model: string): FieldProblem | undefined {
  if (looksLikeCredential(model)) return pasted('The model');
  return MODEL_ID.test(model)
    ? undefined
    : refused(model, 'A model ID has no comma, no control character, and no space around it.');
}

export function addressProblem(address: string): FieldProblem | undefined {
  if (looksLikeCredential(address)) return pasted('The address');
  const parsed = parseIpRule(address);
  if (parsed.ok) return undefined;
  const sentence = parsed.problem.startsWith('not ') ? `It is ${parsed.problem}` : `T${parsed.problem.slice(1)}`;
  return refused(
    address,
    parsed.corrected === undefined ? `${sentence}.` : `${sentence}: did you mean ${quoted(parsed.corrected)}?`,
  );
}

export function expiryProblem(expires: string): FieldProblem | undefined {
  if (looksLikeCredential(expires)) return pasted('The expiry');
  if (expires === NEVER || tryParseInstant(expires) !== undefined) return undefined;
  return {
    summary: 'Not a time',
    detail: `${quoted(expires)}: write ${quoted('2027-03-31T00:00:00Z')}, with its offset, or ${quoted(NEVER)}.`,
  };
}
