import { Fault } from '../domain/index.ts';
import { dotenv } from './file/dotenv.ts';
import { renderKubernetesYaml } from './kubernetes-yaml.ts';

/** One secret for a person who delivers it by hand. */
export interface NamedSecret {
  /** The name of the key. */
  readonly name: string;
  readonly value: string;
  /** The name that its readers know; omitted: made of the name of the key. */
  readonly as?: string;
}

/** `prod-checkout`: `PROD_CHECKOUT`. */
const variableOf = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');

/** `Prod_Checkout`: `prod-checkout`. */
const resourceOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');

interface ReaderNames {
  readonly convert: (name: string) => string;
  readonly valid: RegExp;
  readonly what: string;
}

const VARIABLE: ReaderNames = {
  convert: variableOf,
  valid: /^[A-Za-z_][A-Za-z0-9_]*$/,
  what: 'the name of a variable',
};
const RESOURCE: ReaderNames = {
  convert: resourceOf,
  valid: /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
  what: 'the name of a Kubernetes Secret',
};

/** @throws Fault `usage.invalid` when a name is invalid, or two keys would have the same one */
function named(
  secrets: readonly NamedSecret[],
  { convert, valid, what }: ReaderNames,
): readonly (readonly [string, string])[] {
  const taken = new Map<string, string>();
  return secrets.map(({ name, value, as = convert(name) }) => {
    const other = taken.get(as);
    if (!valid.test(as) || other !== undefined) {
      const why = other === undefined ? `“${as}” is not ${what}` : `“${other}” and “${name}” would both be “${as}”`;
      throw new Fault('usage.invalid', `The secret of “${name}” cannot be named: ${why}.`, {
        hint: 'Choose the name, for one key at a time.',
      });
    }
    taken.set(as, name);
    return [as, value] as const;
  });
}

/** Renders secrets as lines of an `.env` file. @throws Fault `usage.invalid` */
export const renderDotenv = (secrets: readonly NamedSecret[]): string =>
  named(secrets, VARIABLE).reduce((text, [as, value]) => dotenv(as).set(text, value), '');

/** Renders secrets as manifests of Kubernetes Secrets, with the value in the entry `api-key`. @throws Fault `usage.invalid` */
export const renderKubernetes = (secrets: readonly NamedSecret[]): string =>
  named(secrets, RESOURCE)
    .map(([name, value]) =>
      renderKubernetesYaml({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name },
        type: 'Opaque',
        data: { 'api-key': Buffer.from(value).toString('base64') },
      }),
    )
    .join('---\n');
