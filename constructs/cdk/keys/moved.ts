import { Construct } from 'constructs';
import { ApiKey as ApiKeyResource } from '../../gen/cdktf/api-key/index.ts';
import type { ApiKey } from '../key/api-key.ts';

/**
 * Tells Terraform that a key was at another id of the same construct before. Without that it would delete the key and make
 * another one: `prevent_destroy` goes with the block that says it.
 */
export function moveFromId(key: ApiKey, former: string): void {
  const { scope } = key.node;
  if (!scope) return;
  // Only a construct that is there has an address. This one is gone again before anybody looks.
  const place = new Construct(scope as Construct, former);
  const { terraformResourceType, friendlyUniqueId } = new ApiKeyResource(place, 'Resource', { name: former });
  scope.node.tryRemoveChild(former);
  key.resource.moveFromId(`${terraformResourceType}.${friendlyUniqueId}`);
}
