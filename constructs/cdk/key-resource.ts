import { DefaultTokenResolver, StringConcat, TerraformResource, TerraformStack, Tokenization } from 'cdktf';
import type { IConstruct } from 'constructs';
import { isUnresolved, unescaped } from './unresolved.ts';

/** What a key will be in the Terraform configuration: with everything that was overridden, as the provider sees it. */
export interface KeyAttributes {
  readonly [attribute: string]: unknown;
}

const KEY_TYPE = 'keyplane_api_key';

export const isKeyResource = (construct: IConstruct): construct is TerraformResource =>
  TerraformResource.isTerraformResource(construct) && construct.terraformResourceType === KEY_TYPE;

const RESOLVER = new DefaultTokenResolver(new StringConcat());

/** Every key below a construct, made by whichever class. */
export const keyResources = (scope: IConstruct): readonly TerraformResource[] =>
  scope.node.findAll().filter(isKeyResource);

/** What Terraform has to fill in stands there in its notation afterwards. */
export const resolved = (construct: IConstruct, value: unknown): unknown =>
  Tokenization.resolve(value, { scope: TerraformStack.of(construct), preparing: false, resolver: RESOLVER });

const written = (resource: TerraformResource): KeyAttributes =>
  resource.toTerraform().resource?.[KEY_TYPE]?.[resource.friendlyUniqueId] ?? {};

export const attributesOf = (resource: TerraformResource): KeyAttributes =>
  resolved(resource, written(resource)) as KeyAttributes;

/** The name alone: resolving all of every key takes most of a synthesis. */
export function tryNameOf(resource: TerraformResource): string | undefined {
  const name = resolved(resource, written(resource).name);
  return typeof name === 'string' && !isUnresolved(name) ? unescaped(name) : undefined;
}
