import { createRequire } from 'node:module';

/** Returns the version of this package, from its own package.json. */
export function packageVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)('keyplane/package.json');
  return version;
}
