import { Lazy, TerraformElement, type TerraformProvider, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import type { ApiKey as ApiKeyResource } from '../../gen/cdktf/api-key/index.ts';
import { constructError } from '../stack/refusal.ts';
import { EPHEMERAL_SECRET } from '../stack/secrets.ts';

/**
 * The credential of a key for one run of Terraform: an ephemeral block, which cdktf has no class for. Neither plan nor state
 * contains it.
 */
export class KeySecret extends TerraformElement {
  readonly #key: ApiKeyResource;

  public constructor(scope: Construct, id: string, key: ApiKeyResource) {
    super(scope, id, EPHEMERAL_SECRET);
    this.#key = key;
  }

  /** The provider of the key: the secret of a key is in the account of the key. */
  public get provider(): TerraformProvider | undefined {
    return this.#key.provider;
  }

  public override toTerraform() {
    const { provider } = this;
    const block = { ...(provider ? { provider: provider.fqn } : {}), id: `\${${this.#key.fqn}.id}` };
    return { ephemeral: { [EPHEMERAL_SECRET]: { [this.friendlyUniqueId]: block } } };
  }

  /** A token for the secret. @throws Error at synthesis when another stack uses it: only outputs could carry it there */
  public get value(): string {
    const stack = TerraformStack.of(this);
    return Lazy.stringValue({
      produce: ({ scope }) => {
        if (TerraformStack.of(scope) === stack)
          return `\${ephemeral.${EPHEMERAL_SECRET}.${this.friendlyUniqueId}.secret}`;
        throw constructError(this, 'Another stack uses the secret of this key. Use it in the stack of the key.');
      },
    });
  }
}
