/** Finding and masking credentials in free text. Key material that Keyplane itself holds lives in `Secret` instead. */

const API_KEY = /sk-[A-Za-z0-9]{20,}/g;

/** User and password in an address. */
const USER_INFO = /(?<=:\/\/)[^\s/@]+(?=@)/g;

const MASK = '‹secret›';

const blank = (text: string): string => text.replace(/[^\r\n]/g, '•');

/** Does the text contain something that looks like an API key? Such a text must not become a public label. */
export const looksLikeCredential = (text: string): boolean => text.search(API_KEY) >= 0;

/** Blanks API keys and the users of addresses; length and line breaks stay. */
export const blankCredentials = (text: string): string => text.replace(API_KEY, blank).replace(USER_INFO, blank);

/** Masks API keys and the users of addresses in a text that a gateway reported. */
export const maskCredentials = (text: string): string => text.replace(API_KEY, MASK).replace(USER_INFO, MASK);
