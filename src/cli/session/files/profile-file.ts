import { type GatewayProfile, parseGatewayProfile } from '../../../conformance/index.ts';
import { Fault, fileTrouble } from '../../../domain/index.ts';
import { MOST_BYTES, readBoundedText } from '../../../source/index.ts';

/**
 * Reads the profile of a gateway, as an examination wrote it.
 *
 * @param named the file in the user's words, for messages.
 * @throws Fault `usage.invalid`
 */
export async function readProfileFile(path: string, named: string): Promise<GatewayProfile> {
  const text = await readBoundedText(path, MOST_BYTES.credential).catch((cause: unknown) => {
    throw new Fault('usage.invalid', `The profile ${named} cannot be read: ${fileTrouble(cause)}.`, { cause });
  });
  return parseGatewayProfile(text, named);
}
