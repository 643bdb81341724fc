import { TerraformProvider, type TerraformResource, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import { comparableAddress } from '../../../src/domain/index.ts';
import { memoized } from '../values/memoized.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { PROVIDER_TYPE } from './refusal.ts';
import { constructsOf, resolved } from './synthesized.ts';

const isProvider = (construct: IConstruct): construct is TerraformProvider =>
  TerraformProvider.isTerraformProvider(construct) && construct.terraformResourceType === PROVIDER_TYPE;

/**
 * Identifies the account of a provider: by its address and user if the configuration has them, else by the provider
 * itself, because only the environment of a run has them.
 */
function accountOfProvider(provider: TerraformProvider): string {
  const [block] = resolved(provider, provider.toTerraform().provider?.[PROVIDER_TYPE]) as readonly {
    readonly url?: unknown;
    readonly user_id?: unknown;
  }[];
  const parts = [block?.url, block?.user_id];
  const isKnown = parts.every((part) => part !== undefined && part !== null && !isUnresolved(part));
  return isKnown ? `${comparableAddress(String(block?.url))} ${block?.user_id}` : provider.node.path;
}

/** @param constructs those of one stack */
const defaultProviders = (constructs: readonly IConstruct[]): readonly TerraformProvider[] =>
  constructs.filter(isProvider).filter(({ alias }) => alias === undefined);

/** Finds a second provider without an alias: both are `keyplane`, and Terraform rejects them. */
export function defaultErrors(constructs: readonly IConstruct[]): readonly string[] {
  const [first, second] = defaultProviders(constructs);
  if (!first || !second) return [];
  const taken = `${first.node.path} is already the provider without one`;
  return [`${second.node.path}: \`alias\`: ${taken}. Set an \`alias\`, and pass the provider to its keys.`];
}

/** Identifies the account of each key. It remembers providers: use it for one validation only, because apps grow. */
export function accountResolver(): (resource: TerraformResource) => string {
  const accountOf = memoized(accountOfProvider);
  const providerOf = memoized((stack: TerraformStack) => defaultProviders(constructsOf(stack))[0]);
  return (resource) => {
    const stack = TerraformStack.of(resource);
    const provider = resource.provider ?? providerOf(stack);
    return provider ? accountOf(provider) : stack.node.path;
  };
}
