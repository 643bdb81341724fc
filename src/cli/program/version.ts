import { createRequire } from 'node:module';

/** Returns the version of this package, from its own package.json. */
export function packageVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)('keyplane/package.json');
  return version;
}

/** Can this version of Node.js run the program, and can CommonJS programs load the library with it? package.json states the same. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
}
