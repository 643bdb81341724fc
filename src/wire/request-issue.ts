/** One thing that the contract forbids in a request. The message is a sentence without its subject, the field. */
export interface RequestIssue {
  /** `parameters.size`, `messages[0].role`; empty: the body itself. */
  readonly path: string;
  readonly message: string;
}

export const renderPath = (path: readonly PropertyKey[]): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`)).join('');
