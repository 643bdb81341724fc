/** The profiles of gateways that come with Keyplane, as data and as behaviour of the reference gateway. */
export const PROFILE_NAMES = ['contract', 'deployed', 'deployed@1.0'] as const;
/** The names of the built-in profiles of gateways. */
export type ProfileName = (typeof PROFILE_NAMES)[number];

export const tryParseProfileName = (text: string): ProfileName | undefined =>
  PROFILE_NAMES.find((name) => name === text);
