import { type Rotation, tryParseDuration } from '../../../../domain/index.ts';
import { isObject, isWhollyKnown, type TerraformObject, type TerraformValue } from '../../../codec/value.ts';
import type { DiagnosticContent } from '../../../provider/diagnostics.ts';
import type { Attribute } from '../../../provider/schema.ts';

/** The form of the durations of a manifest. */
const FORM = /^[1-9]\d{0,6}[smhd]$/u;
const LEAST_EVERY = 3600;

const partsOf = ({ every, overlap, quiet }: TerraformObject): Record<string, TerraformValue | undefined> => ({
  every,
  overlap,
  quiet,
});

const secondsOf = (value: TerraformValue | undefined): number | undefined =>
  typeof value === 'string' && FORM.test(value) ? tryParseDuration(value) : undefined;

/** The rules of a block, as far as its values are known. */
function rotationErrors(block: TerraformValue): readonly DiagnosticContent[] {
  if (!isObject(block)) return [];
  const malformed = Object.entries(partsOf(block)).filter(
    ([, value]) => typeof value === 'string' && secondsOf(value) === undefined,
  );
  if (malformed.length > 0) {
    return malformed.map(([name, value]) => ({
      summary: `Invalid \`${name}\` of a rotation`,
      detail: `${JSON.stringify(value)}: expected a duration such as \`90d\`, \`12h\` or \`30m\`.`,
    }));
  }
  const [every, overlap] = [secondsOf(block.every), secondsOf(block.overlap)];
  if (every !== undefined && every < LEAST_EVERY) {
    return [{ summary: 'The interval of a rotation is too short', detail: '`every` must be at least `1h`.' }];
  }
  if (every === undefined || overlap === undefined || overlap < every) return [];
  const detail = 'At most two generations of a key exist at a time: `overlap` must be less than `every`.';
  return [{ summary: 'The overlap of a rotation is too long', detail }];
}

const required = (description: string): Attribute => ({ type: 'string', set: 'required', description });

export const ROTATION: Attribute = {
  nesting: 'single',
  isBlock: true,
  set: 'optional',
  attributes: {
    every: required('The age at which the key gets a successor, such as `90d`. At least `1h`.'),
    overlap: required('The time for which the former key lives on, at least, such as `7d`. Less than `every`.'),
    quiet: {
      type: 'string',
      set: 'optional',
      description: 'The time without use that the former key must show before it ends. Default: `24h`.',
    },
  },
  description:
    'Rotates the key without replacing the resource. The first apply after `every` creates a successor, sends a request with its secret, and changes `id`: what reads the secret by it gets the new one. The former key stays until a later apply finds that `overlap` is over and that nothing used the key lately; it is disabled then, and deleted by the apply after that. Rotates only when you apply. The names at the gateway begin with `name`, followed by the time of the generation.',
  check: rotationErrors,
};

/** The rotation that a configuration or a state declares. Undefined: none, or one that is not known yet. */
export function decodeRotation({ rotation = null }: TerraformObject): Rotation | undefined {
  if (!isObject(rotation) || !isWhollyKnown(rotation)) return undefined;
  const [every, overlap, quiet] = [rotation.every, rotation.overlap, rotation.quiet].map(secondsOf);
  if (every === undefined || overlap === undefined) return undefined;
  return { every, overlap, ...(quiet !== undefined && { quiet }) };
}

export const isRotating = ({ rotation = null }: TerraformObject): boolean => rotation !== null;
