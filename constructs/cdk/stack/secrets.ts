import { isRecord } from '../values/shape.ts';

/** The type of the ephemeral resource that reads the credential of a key. */
export const EPHEMERAL_SECRET = 'keyplane_api_key_secret';

const SECRET = `ephemeral.${EPHEMERAL_SECRET}.`;

/** A text that is a reference to a local value or to a part of it, and nothing else. */
const LOCAL = /^\$\{local\.([\w-]+)((?:\.[A-Za-z_][\w-]*|\["[^"\\]*"\]|\[\d+\])*)\}$/;
const STEP = /[^.[\]"]+/g;

type Locals = Readonly<Record<string, unknown>>;

/** Returns what a reference to a local value refers to, and any other value as it is. */
function followed(value: unknown, locals: Locals, before: readonly unknown[] = []): unknown {
  const [, name = '', path = ''] = (typeof value === 'string' && LOCAL.exec(value)) || [];
  // Terraform rejects a local value that refers to itself.
  if (name === '' || before.includes(value)) return value;
  let part = locals[name];
  for (const [step] of path.matchAll(STEP)) {
    const whole = followed(part, locals, [...before, value]);
    part = Array.isArray(whole) ? whole[Number(step)] : isRecord(whole) ? whole[step] : undefined;
  }
  return followed(part, locals, [...before, value]);
}

/** Returns a test for the secret of a key. A local value is judged once, however many values refer to it. */
function openSecretTest(locals: Locals): (value: unknown) => boolean {
  const known = new Map<unknown, boolean>();
  const holdsSecret = (value: unknown): boolean => {
    const before = known.get(value);
    if (before !== undefined) return before;
    known.set(value, false);
    const found = followed(value, locals);
    const parts: readonly unknown[] = Array.isArray(found) ? found : isRecord(found) ? Object.values(found) : [];
    const result = typeof found === 'string' ? found.includes(SECRET) : parts.some(holdsSecret);
    known.set(value, result);
    return result;
  };
  return holdsSecret;
}

/**
 * Finds outputs with the secret of a key, also one that they get from local values. The outputs of a stack are stored, and Terraform
 * rejects such a value: it also finds a local value within a larger expression, which is not read here.
 */
export function outputsOfSecrets(outputs: Readonly<Record<string, unknown>>, locals: Locals): readonly string[] {
  const holdsSecret = openSecretTest(locals);
  return Object.entries(outputs)
    .filter(([, output]) => isRecord(output) && holdsSecret(output.value))
    .map(
      ([name]) =>
        `The output ${JSON.stringify(name)} would store the secret of a key. Pass the secret to a write-only argument, or to the configuration of a provider.`,
    );
}
