import { Annotations, type ITerraformDependable, type ITerraformIterator, type TerraformProvider } from 'cdktf';
import { Construct, type IConstruct } from 'constructs';
import { FIELD_ROWS } from '../../../src/domain/index.ts';
import { type ApiKeyConfig, ApiKey as ApiKeyResource } from '../../gen/cdktf/api-key/index.ts';
import type { IApiKey } from '../check/smoke-check-props.ts';
import { nowOf, PAST_EXPIRY } from '../clock.ts';
import { checkProps, checkReferences, constructError } from '../stack/refusal.ts';
import { resolved } from '../stack/synthesized.ts';
import { addValidation } from '../stack/validate-stack.ts';
import { withoutUndefined } from '../values/given.ts';
import { propertyName } from '../values/property-name.ts';
import { isRecord } from '../values/shape.ts';
import { toAttribute } from './codec.ts';
import type { KeyFields } from './key-fields.ts';
import { KeySecret } from './key-secret.ts';
import { type KeyRotation, rotationErrors } from './rotation.ts';
import { flagErrors, formerNameErrors, type ValidValues, validateKey } from './validate-key.ts';

/** Instructions to Terraform and Keyplane about a key, in addition to its fields. */
export interface KeyHandling {
  /**
   * The former name, for as long as the key may still have it. Keyplane then renames the key, which keeps its ID and
   * secret. Terraform renames it too, as long as the ID of the construct stays the same.
   */
  readonly renamedFrom?: string;
  /** Rejects every plan that would delete the key, as long as its construct exists. Default: false. */
  readonly preventDestroy?: boolean;
  /**
   * Rotates the key when Terraform applies: it gets a successor at each interval, and the former key ends in a later apply, after
   * the overlap, once nothing uses it.
   */
  readonly rotation?: KeyRotation;
  /** A provider other than the stack’s only one. */
  readonly provider?: TerraformProvider;
  /** Resources that must exist before the key. */
  readonly dependsOn?: readonly ITerraformDependable[];
}

/** One key of the gateway. Omitted fields are not managed: they keep their value on an existing key. */
export interface ApiKeyProps extends KeyFields, KeyHandling {
  /** Name of the key: 1 to 50 characters and at most 50 bytes. Unique in its account, ignoring case. */
  readonly name: string;
  /**
   * Makes one key for each entry of an iterator, which Terraform may know first. Build the name from it, as in
   * `name: \`team-${iterator.key}\``: each key needs a name of its own.
   */
  readonly forEach?: ITerraformIterator;
}

const VALID_VALUES = Symbol('keyplane/valid-values');

/** The memory of an app. */
function validValuesOf(root: IConstruct & { [VALID_VALUES]?: ValidValues }): ValidValues {
  root[VALID_VALUES] ??= new Set();
  return root[VALID_VALUES];
}

type ResourceAttributes = Readonly<Record<string, unknown>>;

const RENAMED_REPEATED =
  '`renamedFrom`: `forEach` makes many keys, and one former name is not theirs. Rename them by their entries.';

/** The attributes of the resource, by the provider’s names. */
function attributesOf(key: KeyFields & { readonly name: string }): ResourceAttributes {
  const props: ResourceAttributes = { ...key };
  const attributes: Record<string, unknown> = key.name === undefined ? {} : { name: key.name };
  for (const [field, row] of FIELD_ROWS) {
    const value = props[field] === undefined ? undefined : toAttribute(row, props[field]);
    if (value !== undefined) attributes[row.terraform] = value;
  }
  return attributes;
}

/** The names of the generated class. */
const PROPERTIES = new Map(
  ['name', ...FIELD_ROWS.map(([, row]) => row.terraform)].map((name) => [name, propertyName(name)]),
);

/** The attributes by the names of the generated class. Types were checked as props, or are reported as errors. */
function configOf(attributes: ResourceAttributes): ApiKeyConfig {
  const config: Record<string, unknown> = {};
  for (const [name, property] of PROPERTIES) if (name in attributes) config[property] = attributes[name];
  return config as never;
}

/**
 * The generated resource, rendered without what is undefined. The CDK renders a resource several times, and resolves each undefined
 * attribute only to omit it: of the attributes of a key, most are.
 */
class KeyResource extends ApiKeyResource {
  public override get terraformMetaArguments(): Record<string, unknown> {
    return withoutUndefined(super.terraformMetaArguments);
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return withoutUndefined(super.synthesizeAttributes());
  }
}

/**
 * A key of the gateway: one `keyplane_api_key`, validated by the rules of the manifest when the app is synthesized.
 *
 * Its credential is in neither the configuration nor the state. {@link ApiKey.resource} gives access to everything that
 * this class does not offer.
 */
export class ApiKey extends Construct implements IApiKey, ITerraformDependable {
  /** The underlying resource: every attribute, `addOverride`, `importFrom`, `moveTo`, `lifecycle`. */
  public readonly resource: ApiKeyResource;
  /** The name of the key. */
  public readonly keyName: string;
  readonly #warned = new Set<string>();
  readonly #isRepeated: boolean;
  #secret: KeySecret | undefined;

  public constructor(scope: Construct, id: string, props: ApiKeyProps) {
    super(scope, id);
    checkProps(this, props);
    checkReferences(this, props);
    const { renamedFrom, preventDestroy, rotation, provider, dependsOn, forEach, ...key } = props;
    this.keyName = key.name;
    this.#isRepeated = forEach !== undefined;
    const attributes = attributesOf(key);
    this.resource = new KeyResource(this, 'Resource', {
      ...configOf(attributes),
      ...(isRecord(rotation) ? { rotation } : {}),
      ...(preventDestroy ? { lifecycle: { preventDestroy } } : {}),
      ...(provider ? { provider } : {}),
      ...(dependsOn ? { dependsOn: [...dependsOn] } : {}),
      ...(forEach ? { forEach } : {}),
    });
    if (renamedFrom !== undefined) this.resource.addOverride('//.keyplane', { renamedFrom });
    const errors = () => [
      ...this.#errors(key),
      ...flagErrors('preventDestroy', preventDestroy),
      ...rotationErrors(rotation),
      ...formerNameErrors(resolved(this, renamedFrom)),
      ...(forEach && renamedFrom !== undefined ? [RENAMED_REPEATED] : []),
    ];
    addValidation(this, { errors, attributes });
  }

  /** The gateway’s number for the key, known after the first apply. */
  public get keyId(): number {
    this.#requireOne('keyId');
    return this.resource.id;
  }

  /**
   * The credential of the key, `sk-…`, as an ephemeral value: pass it to a write-only argument of a resource, or to the
   * configuration of a provider, in the stack of the key. Neither plan nor state contains it. Requires Terraform 1.11 or
   * OpenTofu 1.11.
   *
   * @throws Error when `forEach` makes many keys
   */
  public secret(): string {
    this.#requireOne('secret()');
    this.#secret ??= new KeySecret(this, 'Secret', this.resource);
    return this.#secret.value;
  }

  /** The address in Terraform, for dependants. */
  public get fqn(): string {
    return this.resource.fqn;
  }

  #requireOne(member: string): void {
    if (!this.#isRepeated) return;
    const text = `\`${member}\`: \`forEach\` makes many keys. Iterate over them: TerraformIterator.fromResources(key.resource).`;
    throw constructError(this, text);
  }

  #errors(key: KeyFields & { readonly name: string }): readonly string[] {
    // A lazy name is a token that the synthesis resolves.
    const { errors, past } = validateKey(
      { ...key, name: resolved(this, key.name) },
      {
        now: nowOf(this),
        isRepeated: this.#isRepeated || this.resource.count !== undefined,
        valid: validValuesOf(this.node.root),
      },
    );
    if (past === undefined) return errors;
    if (this.node.tryGetContext(PAST_EXPIRY) !== 'warn') return [...errors, past];
    this.#warn(past);
    return errors;
  }

  /** Warns once: validations may run more than once. */
  #warn(message: string): void {
    if (!this.#warned.has(message)) Annotations.of(this).addWarning(message);
    this.#warned.add(message);
  }
}
