/** One step of the path to a value: an attribute, an element of a list, a key of a map. */
export type PathStep = string | number | { readonly key: string };

function renderStep(step: PathStep): string {
  if (typeof step === 'string') return `.${step}`;
  return `[${JSON.stringify(typeof step === 'object' ? step.key : step)}]`;
}

/** Renders a path as Terraform’s language writes it: `expect.contains[0]`. */
export const renderPath = (path: readonly PathStep[]): string => path.map(renderStep).join('').replace(/^\./, '');

/** Bytes or values that do not match their type: core and provider disagree about the schema. */
export class ValueError extends Error {
  readonly path: readonly PathStep[];

  constructor(message: string, path: readonly PathStep[]) {
    super(path.length === 0 ? message : `${renderPath(path)}: ${message}`);
    this.path = path;
  }
}
