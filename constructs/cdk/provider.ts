import type { Construct } from 'constructs';
import { BASE_ADDRESS } from '../../src/domain/index.ts';
import { KeyplaneProvider as GeneratedProvider, type KeyplaneProviderConfig } from '../gen/cdktf/provider/index.ts';
import { governStackOf } from './stack/stack-rules.ts';

import { isUnresolved } from './values/unresolved.ts';

export type { KeyplaneProviderConfig };

const FROM_ENVIRONMENT = 'The provider takes it from KEYPLANE_ACCESS_TOKEN; or give a sensitive variable.';

/**
 * The gateway and the account whose keys a stack declares. The access token does not belong into code: the provider
 * takes it from `KEYPLANE_ACCESS_TOKEN`.
 *
 * Has all keys of its stack judged together, also those of generated classes: names are unique, and what
 * {@link Guardrail}s of the app require holds.
 */
export class KeyplaneProvider extends GeneratedProvider {
  public constructor(scope: Construct, id: string, config: KeyplaneProviderConfig = {}) {
    super(scope, id, config);
    this.node.addValidation({ validate: () => [...this.#problems(config)] });
    governStackOf(this);
  }

  #problems({ accessToken, url }: KeyplaneProviderConfig): readonly string[] {
    const isPlain = typeof accessToken === 'string' && accessToken !== '' && !isUnresolved(accessToken);
    const namesUser = typeof url === 'string' && /:\/\/[^/?#]*@/.test(url);
    const isOdd = typeof url === 'string' && !isUnresolved(url) && !namesUser && !BASE_ADDRESS.test(url);
    return [
      ...(isPlain ? [`\`accessToken\`: It would stand in the configuration. ${FROM_ENVIRONMENT}`] : []),
      ...(namesUser
        ? ['`url`: It names a user or a password, and would stand in the configuration. Take them out.']
        : []),
      ...(isOdd ? ['`url`: It is no address of a gateway, such as https://gateway.example.com.'] : []),
    ];
  }
}
