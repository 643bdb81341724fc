import { Buffer } from 'node:buffer';
import { Fault, type Secret } from '../../domain/index.ts';

const KEY_BYTES = 32;

/**
 * Encrypts a secret for the holder of a key, as GitHub requires it: a sealed box of libsodium, in Base64. Two boxes of one
 * secret differ. The library is loaded with the first one.
 *
 * @throws Fault `sink.unexpected-answer` for a key that is not one
 */
export async function sealSecret(secret: Secret, publicKey: string): Promise<string> {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  const key = Buffer.from(publicKey, 'base64');
  if (key.length !== KEY_BYTES) {
    throw new Fault('sink.unexpected-answer', 'GitHub returned a public key of another length than 32 bytes.');
  }
  return Buffer.from(sodium.crypto_box_seal(secret.reveal(), key)).toString('base64');
}
