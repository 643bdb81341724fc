import { ApiKey as ApiKeyResource } from '../../gen/cdktf/api-key/index.ts';
import { withoutUndefined } from '../values/given.ts';

/**
 * The generated resource, rendered without what is undefined. The CDK renders a resource several times, and resolves each undefined
 * attribute only to omit it: of the attributes of a key, most are.
 */
export class KeyResource extends ApiKeyResource {
  public override get terraformMetaArguments(): Record<string, unknown> {
    return withoutUndefined(super.terraformMetaArguments);
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return withoutUndefined(super.synthesizeAttributes());
  }
}
