import type { Place } from '../../domain/index.ts';
import type { Account, TerraformModule } from '../../tfjson/index.ts';
import type { DeclaredCheck } from '../validate/declared-checks.ts';
import type { DeclaredKey } from '../validate/declared-keys.ts';
import type { Validated } from '../validate/fields.ts';
import type { Part } from '../validate/part.ts';
import type { YamlNode } from '../yaml/node.ts';

/** A value for the rules between declarations, all of it at one place. */
function treeAt(place: Place, value: string | readonly string[]): YamlNode {
  const at = { place, range: [0, 0], broken: false } as const;
  if (typeof value === 'string') return { kind: 'scalar', value, source: value, isReferenced: false, size: 1, ...at };
  return { kind: 'list', items: value.map((item) => treeAt(place, item)), size: value.length + 1, ...at };
}

const validated = <T extends string | number | readonly string[]>(value: T, place: Place): Validated<T> => ({
  value,
  node: treeAt(place, typeof value === 'number' ? String(value) : value),
  at: place,
});

const keyOf = ({ key, renamedFrom, checks }: TerraformModule['keys'][number]): DeclaredKey => ({
  name: key.name,
  at: key.place,
  fields: {
    ...(key.id === undefined ? {} : { id: validated(key.id, key.place) }),
    ...(renamedFrom && key.renamedFrom ? { renamedFrom: validated(key.renamedFrom, renamedFrom) } : {}),
    ...(checks.length > 0 ? { checks: validated([...checks], key.place) } : {}),
  },
  desired: key,
});

const checkOf =
  (folder: string) =>
  (check: TerraformModule['checks'][number]): DeclaredCheck => {
    const { name, place } = check.spec;
    return { name, at: place, node: treeAt(place, name), folder, fields: {}, isValid: true, terraform: check };
  };

const gatewayOf = ({ url, userId }: Partial<Account>): Part['gateway'] => ({
  ...(url ? { url: validated(url.value, url.place) } : {}),
  ...(userId ? { userId: validated(Number(userId.value), userId.place) } : {}),
});

/** A module of Terraform JSON as a part of the manifest. Its keys and checks are in normal form already. */
export const partOfModule = ({ folder, account, keys, checks }: TerraformModule): Part => ({
  folder,
  gateway: gatewayOf(account ?? {}),
  ownership: {},
  owners: {},
  defaults: {},
  keys: keys.map(keyOf),
  checks: checks.map(checkOf(folder)),
  kept: keys.filter(({ preventsDestroy }) => preventsDestroy).map(({ key }) => key.name),
});
