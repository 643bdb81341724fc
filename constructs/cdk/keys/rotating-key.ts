import type { Construct } from 'constructs';
import { ApiKey, type ApiKeyProps } from '../key/api-key.ts';
import type { KeyRotation } from '../key/rotation.ts';
import { checkProps } from '../stack/refusal.ts';

/** A key that is replaced on a schedule. */
export interface RotatingKeyProps extends Omit<ApiKeyProps, 'rotation' | 'forEach'>, KeyRotation {}

/**
 * A key with a rotation: one resource, whose `keyId` is that of the latest generation. Terraform rotates it when you apply, so apply on
 * a schedule. The gateway shows which generations exist: neither the time of a synthesis nor a lost state ends one.
 *
 * @throws Error with the path of the construct, when there are no props
 */
export class RotatingKey extends ApiKey {
  public constructor(scope: Construct, id: string, props: RotatingKeyProps) {
    checkProps(scope, props);
    const { every, overlap, quiet, ...key } = props;
    super(scope, id, { ...key, rotation: { every, overlap, ...(quiet === undefined ? {} : { quiet }) } });
  }
}
