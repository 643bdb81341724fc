/** One step of the path to a value: an attribute, an element of a list, a key of a map. */
export type PathStep = string | number | { readonly key: string };

const shown = (path: readonly PathStep[]): string =>
  path.map((step) => (typeof step === 'object' ? `[${JSON.stringify(step.key)}]` : `.${step}`)).join('');

/** Bytes or values that do not match their type: core and provider disagree about the schema. */
export class ValueError extends Error {
  readonly path: readonly PathStep[];

  constructor(message: string, path: readonly PathStep[]) {
    super(path.length === 0 ? message : `${shown(path)}: ${message}`);
    this.path = path;
  }
}
