import type { Construct } from 'constructs';
import { KeyplaneProvider as GeneratedProvider, type KeyplaneProviderConfig } from '../gen/cdktf/provider/index.ts';
import { governStackOf } from './stack-rules.ts';

export type { KeyplaneProviderConfig };

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
    governStackOf(this);
  }
}
