import {
  DefaultTokenResolver,
  StringConcat,
  TerraformProvider,
  TerraformResource,
  TerraformStack,
  Tokenization,
} from 'cdktf';
import type { IConstruct } from 'constructs';
import { isUnresolved } from './unresolved.ts';

/** What a key will be in the Terraform configuration: with everything that was overridden, as the provider sees it. */
export interface KeyAttributes {
  readonly [attribute: string]: unknown;
}

const KEY_TYPE = 'keyplane_api_key';
const PROVIDER_TYPE = 'keyplane';

export const isKeyResource = (construct: IConstruct): construct is TerraformResource =>
  TerraformResource.isTerraformResource(construct) && construct.terraformResourceType === KEY_TYPE;

const isProvider = (construct: IConstruct): construct is TerraformProvider =>
  TerraformProvider.isTerraformProvider(construct) && construct.terraformResourceType === PROVIDER_TYPE;

/** Every key below a construct, made by whichever class. */
export const keyResources = (scope: IConstruct): readonly TerraformResource[] =>
  scope.node.findAll().filter(isKeyResource);

interface Configuration {
  readonly [block: string]: { readonly [type: string]: unknown } | undefined;
}

const RESOLVER = new DefaultTokenResolver(new StringConcat());

const resolved = (construct: TerraformResource | TerraformProvider): Configuration =>
  Tokenization.resolve(construct.toTerraform(), {
    scope: TerraformStack.of(construct),
    preparing: false,
    resolver: RESOLVER,
  }) as Configuration;

export function attributesOf(resource: TerraformResource): KeyAttributes {
  const byName = resolved(resource).resource?.[KEY_TYPE] as { readonly [name: string]: KeyAttributes } | undefined;
  return byName?.[resource.friendlyUniqueId] ?? {};
}

function providerOf(resource: TerraformResource): TerraformProvider | undefined {
  if (resource.provider) return resource.provider;
  return TerraformStack.of(resource)
    .node.findAll()
    .filter(isProvider)
    .find((provider) => provider.alias === undefined);
}

/**
 * Whose key it is: the address and the user of its provider, where they are written; else the provider itself, because
 * only the environment of a run tells.
 */
export function accountOf(resource: TerraformResource): string {
  const provider = providerOf(resource);
  if (!provider) return TerraformStack.of(resource).node.path;
  const [written] = (resolved(provider).provider?.[PROVIDER_TYPE] ?? []) as readonly KeyAttributes[];
  const { url, user_id: user } = written ?? {};
  const isWritten = [url, user].every((part) => part !== undefined && part !== null && !isUnresolved(part));
  return isWritten ? `${url} ${user}` : provider.node.path;
}
