/** The type of the ephemeral resource that reads the credential of a key. */
export const EPHEMERAL_SECRET = 'keyplane_api_key_secret';

const REFERENCE = `ephemeral.${EPHEMERAL_SECRET}.`;

/** Finds outputs with the secret of a key. The outputs of a stack are stored, and Terraform rejects such a value. */
export const outputsOfSecrets = (outputs: Readonly<Record<string, unknown>> = {}): readonly string[] =>
  Object.entries(outputs)
    .filter(([, output]) => JSON.stringify(output).includes(REFERENCE))
    .map(
      ([name]) =>
        `The output ${JSON.stringify(name)} would store the secret of a key. Pass the secret to a write-only argument, or to the configuration of a provider.`,
    );
