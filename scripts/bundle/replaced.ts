// Parts of packages that Keyplane never uses, and what is bundled in their place: a start compiles all that a file contains.

/** A module of a package, and the text that replaces it. */
export interface Replacement {
  readonly name: string;
  readonly file: RegExp;
  readonly text: string;
}

export const REPLACED: readonly Replacement[] = [
  {
    // Half of zod. Keyplane writes its own messages, in English.
    name: 'messages of zod in 50 languages',
    file: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/,
    text: "export { default as en } from './en.js';",
  },
  {
    // Its connections offer HTTP/1.1 only, unless somebody sets allowH2. It loads the HTTP/2 of Node.js, too.
    name: 'HTTP/2 of undici',
    file: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/,
    text: "module.exports = () => { throw new Error('HTTP/2 is not in this bundle'); };",
  },
  {
    // It reads bodies that are `FormData`, and brings half of `fetch` for it. Keyplane renders its forms itself.
    name: 'forms of undici',
    file: /[\\/]undici[\\/]lib[\\/]web[\\/]fetch[\\/]body\.js$/,
    text: "exports.extractBody = () => { throw new Error('FormData is not in this bundle'); };",
  },
];
