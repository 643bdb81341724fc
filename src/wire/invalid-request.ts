import { Fault } from '../domain/index.ts';
import type { RequestIssue } from './request-issue.ts';

const renderIssue = ({ path, message }: RequestIssue): string => `${path === '' ? 'the body' : path}: ${message}`;

/** A request that must not be sent, with everything that is wrong with it. */
export function invalidRequestFault(title: string, issues: readonly RequestIssue[]): Fault {
  const [only, ...others] = issues.map(renderIssue);
  const list = others.length === 0 ? ` ${only}.` : `\n${issues.map((issue) => `  ${renderIssue(issue)}`).join('\n')}`;
  return new Fault('request.invalid', `${title}: the request breaks limits of the contract:${list}`, {
    hint: 'Nothing was sent or charged. The limits are in docs/reference/limits.md.',
    detail: { issues },
  });
}
