import { Fault, fileTrouble, PROFILE_NAMES, tryParseProfileName } from '../../../domain/index.ts';
import { type GatewayProfile, parseGatewayProfile, SHIPPED_PROFILES } from '../../../gateway/index.ts';
import { MOST_BYTES, readBoundedText } from '../../../source/index.ts';

/**
 * Reads the profile of a gateway, as an examination wrote it.
 *
 * @param named the file in the user's words, for messages.
 * @throws Fault `usage.invalid`
 */
export async function readProfileFile(path: string, named: string): Promise<GatewayProfile> {
  const text = await readBoundedText(path, MOST_BYTES.credential).catch((cause: unknown) => {
    throw new Fault('usage.invalid', `The profile ${named} cannot be read: ${fileTrouble(cause)}.`, {
      cause,
      hint: `A profile is a file, or one of ${PROFILE_NAMES.join(', ')}.`,
    });
  });
  return parseGatewayProfile(text, named);
}

/** The profile with this name, or the one in a file. @throws Fault `usage.invalid` */
export async function loadProfile(named: string, pathOf: (named: string) => string): Promise<GatewayProfile> {
  const name = tryParseProfileName(named);
  return name === undefined ? await readProfileFile(pathOf(named), named) : SHIPPED_PROFILES[name];
}
