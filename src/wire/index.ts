/**
 * The gateway's language, owned by neither side: paths, the schema of every body, and the way between records and keys.
 * The client and the reference gateway both speak it. Source: the gateway's contract, section by section.
 */
export * from './account.ts';
export * from './envelope.ts';
export * from './json.ts';
export * from './key-record.ts';
export * from './key-translation.ts';
export * from './paths.ts';
export * from './usage-log.ts';
