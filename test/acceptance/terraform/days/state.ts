import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench.ts';

interface StateFile {
  readonly resources: readonly {
    readonly name: string;
    readonly instances: readonly {
      readonly index_key?: string | number;
      readonly attributes: { readonly id: number };
    }[];
  }[];
}

/** The key of each address in the state. */
export async function idsInState({ folder }: Pick<Bench, 'folder'>): Promise<ReadonlyMap<string, number>> {
  const state: StateFile = JSON.parse(await readFile(join(folder, 'terraform.tfstate'), 'utf8'));
  return new Map(
    state.resources.flatMap(({ name, instances }) =>
      instances.map(({ index_key: key, attributes }): [string, number] => {
        const member = key === undefined ? '' : `[${JSON.stringify(key)}]`;
        return [`keyplane_api_key.${name}${member}`, attributes.id];
      }),
    ),
  );
}
