import type { Construct } from 'constructs';
import { BASE_ADDRESS } from '../../src/domain/index.ts';
import { KeyplaneProvider as GeneratedProvider, type KeyplaneProviderConfig } from '../gen/cdktf/provider/index.ts';
import { checkProps } from './stack/refusal.ts';
import { governStackOf } from './stack/validate-stack.ts';
import { propertyName } from './values/property-name.ts';
import { isRecord, unknownFields } from './values/shape.ts';
import { isUnresolved } from './values/unresolved.ts';

export type { KeyplaneProviderConfig };

const fromEnvironment = (variable: string): string => `Set ${variable} for the provider, or use a sensitive variable.`;

/** JSON has no such numbers, so the CDK writes null: `Number(process.env.USER_ID)` would leave the account to the environment. */
const wrongNumbers = (config: KeyplaneProviderConfig): readonly string[] =>
  Object.entries(config)
    .filter(([, value]) => typeof value === 'number' && !Number.isFinite(value))
    .map(([name, value]) => `\`${name}\`: Expected a finite number, got ${value}.`);

const isPlain = (credential: string | undefined): boolean =>
  typeof credential === 'string' && credential !== '' && !isUnresolved(credential);

/**
 * The gateway and the account whose keys a stack declares. Keep the access token and the API key for models out
 * of the code: the provider reads them from `KEYPLANE_ACCESS_TOKEN` and `KEYPLANE_MODELS_KEY`.
 *
 * Validates all keys of its stack together, including those of generated classes: their names are unique, and they
 * satisfy the {@link Guardrail}s of the app.
 */
export class KeyplaneProvider extends GeneratedProvider {
  public constructor(scope: Construct, id: string, config: KeyplaneProviderConfig = {}) {
    super(scope, id, isRecord(config) ? config : {});
    checkProps(this, config);
    this.node.addValidation({
      validate: () => [...this.#unknownFields(config), ...wrongNumbers(config), ...this.#errors(config)],
    });
    governStackOf(this);
  }

  /** The generated class drops them: a misspelled user would leave the account to the environment. */
  #unknownFields(config: KeyplaneProviderConfig): readonly string[] {
    return unknownFields(config, Object.keys(this.synthesizeAttributes()).map(propertyName));
  }

  #errors({ accessToken, modelsKey, url }: KeyplaneProviderConfig): readonly string[] {
    const namesUser = typeof url === 'string' && /:\/\/[^/?#]*@/.test(url);
    const isInvalid = typeof url === 'string' && !isUnresolved(url) && !namesUser && !BASE_ADDRESS.test(url);
    return [
      ...(isPlain(accessToken)
        ? [`\`accessToken\`: The token would be part of the configuration. ${fromEnvironment('KEYPLANE_ACCESS_TOKEN')}`]
        : []),
      ...(isPlain(modelsKey)
        ? [`\`modelsKey\`: The API key would be part of the configuration. ${fromEnvironment('KEYPLANE_MODELS_KEY')}`]
        : []),
      ...(namesUser
        ? ['`url`: The address contains a user or a password, which would be part of the configuration. Remove them.']
        : []),
      ...(isInvalid ? ['`url`: Expected the address of a gateway, such as https://gateway.example.com.'] : []),
    ];
  }
}
