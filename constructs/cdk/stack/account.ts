import { TerraformProvider, type TerraformResource, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import { comparableAddress } from '../../../src/domain/index.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { resolved } from './synthesized.ts';

const PROVIDER_TYPE = 'keyplane';

const isProvider = (construct: IConstruct): construct is TerraformProvider =>
  TerraformProvider.isTerraformProvider(construct) && construct.terraformResourceType === PROVIDER_TYPE;

/**
 * Whose keys a provider manages: the address and the user, where they are written; else the provider itself, because only
 * the environment of a run tells.
 */
function accountOfProvider(provider: TerraformProvider): string {
  const [block] = resolved(provider, provider.toTerraform().provider?.[PROVIDER_TYPE]) as readonly {
    readonly url?: unknown;
    readonly user_id?: unknown;
  }[];
  const parts = [block?.url, block?.user_id];
  const isWritten = parts.every((part) => part !== undefined && part !== null && !isUnresolved(part));
  return isWritten ? `${comparableAddress(String(block?.url))} ${block?.user_id}` : provider.node.path;
}

const defaultProvider = (stack: TerraformStack): TerraformProvider | undefined =>
  stack.node
    .findAll()
    .filter(isProvider)
    .find(({ alias }) => alias === undefined);

const remembering = <K extends object, V>(tell: (key: K) => V): ((key: K) => V) => {
  const told = new Map<K, V>();
  return (key) => {
    if (!told.has(key)) told.set(key, tell(key));
    return told.get(key) as V;
  };
};

/** Tells of each key whose it is. It remembers providers: use it for one look at the app, because apps grow. */
export function accounts(): (resource: TerraformResource) => string {
  const accountOf = remembering(accountOfProvider);
  const providerOf = remembering(defaultProvider);
  return (resource) => {
    const stack = TerraformStack.of(resource);
    const provider = resource.provider ?? providerOf(stack);
    return provider ? accountOf(provider) : stack.node.path;
  };
}
