/**
 * The library: everything that the command line is made of, without the command line. The reference gateway is
 * `keyplane/reference`, because it brings a server and a database with it.
 */
export * from './domain/index.ts';
export * from './gateway/index.ts';
export * from './manifest/index.ts';
export * from './reconcile/index.ts';
