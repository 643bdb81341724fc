/**
 * The library: everything that the command line is built from. The reference gateway is a separate entry point,
 * `keyplane/reference`, because it needs a server and a database.
 */
export * from './domain/index.ts';
export * from './gateway/index.ts';
export * from './manifest/index.ts';
export * from './reconcile/index.ts';
