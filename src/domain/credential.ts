/** Finding and masking credentials in free text. Key material that Keyplane itself holds lives in `Secret` instead. */

/**
 * The shapes of credentials that people paste into the wrong place. Each begins with a mark, so that no name matches by accident.
 * All repetitions have an end: without one, a pattern exhausts its stack on a text of megabytes.
 */
const SHAPES: readonly RegExp[] = [
  // API keys of gateways, and of vendors, which put words before the key.
  /sk-[A-Za-z0-9]{20,4000}/,
  /(?<![A-Za-z0-9])sk-(?:[a-z0-9]{2,10}-){1,3}[A-Za-z0-9_-]{0,20}(?=[A-Za-z_-]{0,20}[0-9])[A-Za-z0-9_]{20,4000}/,
  // JSON Web Tokens.
  /(?<![A-Za-z0-9])eyJ[\w-]{10,2000}\.[\w-]{10,4000}\.[\w-]{10,2000}/,
  // GitHub, GitLab, npm, AWS, Google, Slack.
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{30,4000}|github_pat_\w{40,4000}|glpat-[\w-]{20,4000}|npm_[A-Za-z0-9]{30,4000})/,
  /(?<![A-Za-z0-9])(?:(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|AIza[\w-]{35}|xox[abeoprs]-[\w-]{20,4000})/,
  // Headers.
  /(?<![A-Za-z0-9])(?:[Bb]earer|[Bb]asic)[ \t]{1,100}[A-Za-z0-9+/_.~-]{16,16000}={0,2}/,
  // PEM, to its end or to that of the text.
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,100000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/,
];

const CREDENTIAL = new RegExp(SHAPES.map(({ source }) => `(?:${source})`).join('|'), 'g');

/** User and password in an address. */
const USER_INFO = /(?<=:\/\/)[^\s/@]{1,4000}(?=@)/g;

const MASK = '‹secret›';

const blank = (text: string): string => text.replace(/[^\r\n]/g, '•');

/** Does the text contain something that looks like a credential? Such a text must not become a public label. */
export const looksLikeCredential = (text: string): boolean => text.search(CREDENTIAL) >= 0;

/** Blanks credentials and the users of addresses; length and line breaks stay. */
export const blankCredentials = (text: string): string => text.replace(CREDENTIAL, blank).replace(USER_INFO, blank);

/** Masks credentials and the users of addresses in a text that a gateway reported. */
export const maskCredentials = (text: string): string => text.replace(CREDENTIAL, MASK).replace(USER_INFO, MASK);
