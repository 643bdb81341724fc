import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { bits, explicit, identifier, implicit, integer, octets, sequence, set, TRUE, text, time } from './der.ts';

/** A certificate and its key, for one provider process. */
export interface Certificate {
  readonly der: Uint8Array;
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS #8. Never leaves the process. */
  readonly key: string;
}

const HOST = 'localhost';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const [ORGANIZATION, COMMON_NAME] = ['2.5.4.10', '2.5.4.3'];
const [BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE, ALTERNATIVE_NAME] = [
  '2.5.29.19',
  '2.5.29.15',
  '2.5.29.37',
  '2.5.29.17',
];
const [CLIENT_AUTHENTICATION, SERVER_AUTHENTICATION] = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'];
/** Signs, encrypts keys, agrees on keys, signs certificates. */
const USAGES = Buffer.from([0x03, 0x02, 0x02, 0xac]);
const DAY_MS = 86_400_000;
const CLOCK_SLACK_MS = 60_000;

const extension = (id: string, isCritical: boolean, value: Uint8Array): Buffer =>
  sequence(identifier(id), ...(isCritical ? [TRUE] : []), octets(value));

const attribute = (id: string, value: string): Buffer => set(sequence(identifier(id), text(value)));

const extensions = (): Buffer =>
  explicit(
    3,
    sequence(
      extension(BASIC_CONSTRAINTS, true, sequence(TRUE)),
      extension(KEY_USAGE, true, USAGES),
      extension(
        EXTENDED_KEY_USAGE,
        false,
        sequence(identifier(CLIENT_AUTHENTICATION), identifier(SERVER_AUTHENTICATION)),
      ),
      extension(ALTERNATIVE_NAME, false, sequence(implicit(2, HOST))),
    ),
  );

function serialNumber(): Buffer {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}

const pem = (der: Uint8Array): string => {
  const lines = Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
};

/**
 * Issues a self-signed certificate for `localhost` on the curve P-256, which core pins after the handshake. Node.js can
 * sign but not issue certificates.
 *
 * @param now Milliseconds since 1970.
 */
export function issueCertificate(now: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(identifier(ECDSA_WITH_SHA256));
  const name = sequence(attribute(ORGANIZATION, 'keyplane'), attribute(COMMON_NAME, HOST));
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    algorithm,
    name,
    sequence(time(new Date(now - CLOCK_SLACK_MS)), time(new Date(now + 365 * DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions(),
  );
  const der = sequence(body, algorithm, bits(sign('sha256', body, privateKey)));
  return { der, certificate: pem(der), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}
