/** One step towards a value: an attribute, an element of a list, a key of a map. */
export type Step = string | number | { readonly key: string };

const shown = (path: readonly Step[]): string =>
  path.map((step) => (typeof step === 'object' ? `[${JSON.stringify(step.key)}]` : `.${step}`)).join('');

/** Bytes or values that are not of their type: core and provider do not mean the same schema. */
export class ValueError extends Error {
  readonly path: readonly Step[];

  constructor(message: string, path: readonly Step[]) {
    super(path.length === 0 ? message : `${shown(path)}: ${message}`);
    this.path = path;
  }
}
