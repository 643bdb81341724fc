import { tryParseDuration } from '../../../src/domain/index.ts';
import { isRecord, kindOf, unknownFields, within } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';

/** The schedule on which a key gets a successor. */
export interface KeyRotation {
  /** The age at which the key gets a successor, such as `90d`. At least `1h`. */
  readonly every: string;
  /** The time for which the former key lives on, at least, such as `7d`. Less than `every`. */
  readonly overlap: string;
  /** The time without use that the former key must show before it ends. Default: `24h`. */
  readonly quiet?: string;
}

const FORM = /^[1-9]\d{0,6}[smhd]$/u;
const LEAST_EVERY = 3600;
const PARTS = ['every', 'overlap', 'quiet'] as const;

function partErrors(name: string, value: unknown): readonly string[] {
  if (isUnresolved(value) || (value === undefined && name === 'quiet')) return [];
  if (typeof value === 'string' && FORM.test(value)) return [];
  const found = typeof value === 'string' ? JSON.stringify(value) : kindOf(value);
  return [`\`rotation.${name}\`: Expected a duration such as 90d, got ${found}.`];
}

/** The rules of a rotation, as far as its values are known at synthesis. */
export function rotationErrors(rotation: unknown): readonly string[] {
  if (rotation === undefined) return [];
  if (isUnresolved(rotation)) return ['`rotation`: Only its parts can be known to Terraform alone.'];
  if (!isRecord(rotation)) return [`\`rotation\`: Expected an object, got ${kindOf(rotation)}.`];
  const malformed = [
    ...unknownFields(rotation, PARTS).map((error) => within('rotation', error)),
    ...PARTS.flatMap((name) => partErrors(name, rotation[name])),
  ];
  if (malformed.length > 0) return malformed;
  const [every, overlap] = [rotation.every, rotation.overlap].map((part) => tryParseDuration(String(part)));
  if (every !== undefined && every < LEAST_EVERY) return ['`rotation.every`: Must be at least 1h.'];
  return every !== undefined && overlap !== undefined && overlap >= every
    ? [`\`rotation.overlap\`: ${rotation.overlap} must be shorter than \`every\`, ${rotation.every}.`]
    : [];
}
