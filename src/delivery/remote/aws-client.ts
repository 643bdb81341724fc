import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type AwsTarget, Fault, isErrorWithCode, type Secret } from '../../domain/index.ts';
import { shownText } from '../shown-text.ts';

export type AwsLibrary = typeof import('@aws-sdk/client-secrets-manager');

const PACKAGE = '@aws-sdk/client-secrets-manager';

/**
 * Loads the client of AWS when a sink is used first: it is large, and only who delivers there needs it. Its chain of
 * credentials (profiles, roles, OIDC, instance metadata) is what makes it worth having.
 *
 * @throws Fault `tool.missing-package`
 */
export async function loadAws(): Promise<AwsLibrary> {
  try {
    return await import('@aws-sdk/client-secrets-manager');
  } catch (cause) {
    if (!isErrorWithCode(cause, 'ERR_MODULE_NOT_FOUND')) throw cause;
    // A plan keeps the message alone, so the message names the remedy.
    const message = `Sinks in AWS Secrets Manager need the package ${PACKAGE}: run \`npm install ${PACKAGE}\` where Keyplane is installed.`;
    throw new Fault('tool.missing-package', message, { cause, detail: { package: PACKAGE } });
  }
}

/** The longest time until a request is answered, and without anything more of its answer. */
const LONGEST_MS = 30_000;

export function openAws(library: AwsLibrary, { awsSecret: { region, url } }: AwsTarget): SecretsManagerClient {
  return new library.SecretsManagerClient({
    region,
    ...(url === undefined ? {} : { endpoint: url }),
    maxAttempts: 4,
    // An exceeded time is a mere warning by default: a run would wait for ever, with its lock.
    requestHandler: {
      connectionTimeout: 10_000,
      requestTimeout: LONGEST_MS,
      socketTimeout: LONGEST_MS,
      throwOnRequestTimeout: true,
    },
  });
}

const UNAUTHORIZED =
  /AccessDenied|UnrecognizedClient|InvalidSignature|ExpiredToken|InvalidClientTokenId|CredentialsProvider|NotAuthorized|TokenProvider/;
/** A `LimitExceededException` is a quota, of tags or versions: waiting does not help. */
const LIMITED = /Throttl|TooManyRequests|RequestLimit/;

/** Is it this error of AWS? */
export const isAwsError = (thrown: unknown, name: string): boolean => thrown instanceof Error && thrown.name === name;

/** The trouble with AWS, in the terms of sinks. The answer, which also names its error, may repeat what was sent. */
export function awsFault(thrown: unknown, sent: readonly Secret[]): Fault {
  if (thrown instanceof Fault) return thrown;
  const { name = 'Error', message = '', $metadata } = Object(thrown) as AwsTrouble;
  const line = shownText(`${name}: ${message}`, sent);
  const text = `AWS Secrets Manager: ${line}${/[.!?]$/.test(line) ? '' : '.'}`;
  if (UNAUTHORIZED.test(name)) return new Fault('sink.unauthorized', text, { hint: AWS_PERMISSIONS });
  if (LIMITED.test(name)) return new Fault('sink.rate-limited', text);
  if (name === 'ResourceExistsException') {
    return new Fault('sink.stale', text, { hint: 'Somebody else created it at the same moment. Run it again.' });
  }
  const status = $metadata?.httpStatusCode ?? 500;
  // An answer that cannot be read, or comes from somebody else: what was sent may have taken effect.
  if (status < 400) return new Fault('sink.unexpected-answer', text, { hint: 'Check any proxy in front of AWS.' });
  if (status < 500) return new Fault('sink.refused', text);
  return new Fault('sink.unreachable', text, { hint: 'The next run delivers what is missing.' });
}

interface AwsTrouble {
  readonly name?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const AWS_PERMISSIONS =
  'The credentials need secretsmanager:DescribeSecret, CreateSecret, PutSecretValue and TagResource for the secret; to read it back also GetSecretValue, and for `onDestroy: remove` DeleteSecret and RestoreSecret.';
