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

function holdsSecret(value: unknown, locals: Locals, before: readonly unknown[] = []): boolean {
  if (before.includes(value)) return false;
  const found = followed(value, locals);
  if (typeof found === 'string') return found.includes(SECRET);
  const parts: readonly unknown[] = Array.isArray(found) ? found : isRecord(found) ? Object.values(found) : [];
  return parts.some((part) => holdsSecret(part, locals, [...before, value]));
}

/**
 * Finds outputs with the secret of a key, also one that they get from local values. The outputs of a stack are stored, and Terraform
 * rejects such a value: it also finds a local value within a larger expression, which is not read here.
 */
export const outputsOfSecrets = (outputs: Readonly<Record<string, unknown>>, locals: Locals): readonly string[] =>
  Object.entries(outputs)
    .filter(([, output]) => isRecord(output) && holdsSecret(output.value, locals))
    .map(
      ([name]) =>
        `The output ${JSON.stringify(name)} would store the secret of a key. Pass the secret to a write-only argument, or to the configuration of a provider.`,
    );
