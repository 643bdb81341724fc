import type { Construct } from 'constructs';
import { ApiKey, type ApiKeyProps } from '../key/api-key.ts';
import type { KeyRotation } from '../key/rotation.ts';
import { isRecord } from '../values/shape.ts';

/** A key that is replaced on a schedule. */
export interface RotatingKeyProps extends Omit<ApiKeyProps, 'rotation' | 'forEach'>, KeyRotation {}

const withRotation = ({ every, overlap, quiet, ...key }: RotatingKeyProps): ApiKeyProps => ({
  ...key,
  rotation: { every, overlap, ...(quiet === undefined ? {} : { quiet }) },
});

/**
 * A key with a rotation: one resource, whose `keyId` is that of the latest generation. Terraform rotates it when you apply, so apply on
 * a schedule. The gateway shows which generations exist: neither the time of a synthesis nor a lost state ends one.
 *
 * @throws Error with the path of the construct, when there are no props
 */
export class RotatingKey extends ApiKey {
  public constructor(scope: Construct, id: string, props: RotatingKeyProps) {
    super(scope, id, isRecord(props) ? withRotation(props) : props);
  }
}
