import { Fn } from 'cdktf';
import type { JsonValue } from './key-fields.ts';
import { hasUnresolved } from './unresolved.ts';

/** JSON as one text: exactly these bytes, unless Terraform fills in a part. */
export const jsonText = (json: JsonValue): string => (hasUnresolved(json) ? Fn.jsonencode(json) : JSON.stringify(json));
