import { Construct } from 'constructs';
import { ApiKey as ApiKeyResource } from '../../gen/cdktf/api-key/index.ts';
import type { ApiKey } from '../key/api-key.ts';

/**
 * Declares that a key had another ID below the same construct before. Otherwise Terraform would delete the key and create
 * another one: `prevent_destroy` ends with its block.
 */
export function moveFromId(key: ApiKey, former: string): void {
  const { scope } = key.node;
  if (!scope) return;
  // Only an existing construct has an address. This one is removed again right away.
  const place = new Construct(scope as Construct, former);
  const { terraformResourceType, friendlyUniqueId } = new ApiKeyResource(place, 'Resource', { name: former });
  scope.node.tryRemoveChild(former);
  key.resource.moveFromId(`${terraformResourceType}.${friendlyUniqueId}`);
}
