import type { FaultCode } from './fault.ts';
import type { Remedy } from './remedy.ts';

/** A position in a text. Lines and columns count from 1; `end` is exclusive. */
export interface Place {
  /** The path of the file, as it was given. */
  readonly file: string;
  /** The first line. */
  readonly line: number;
  /** The first column. */
  readonly column: number;
  /** The last line. */
  readonly endLine?: number;
  /** The column after the last character. */
  readonly endColumn?: number;
  /** In synthesized Terraform JSON, the path of the construct that wrote it; in other Terraform JSON, the block’s address. */
  readonly construct?: string;
}

/** Leads to a part of what was judged: `['below', 'usd']`, `[2]`; empty: the whole. */
export type DiagnosticPath = readonly (string | number)[];

/**
 * Something about what the user wrote. Diagnostics are collected and shown together; trouble with the world is a Fault
 * instead.
 *
 * A rule states what is wrong in neutral words, with a path and data. The front end (manifest, Terraform, constructs,
 * command line) adds the place and words the remedy.
 */
export interface Diagnostic {
  /** An error rejects the input; a warning and an info do not. */
  readonly severity: 'error' | 'warning' | 'info';
  /** A literal like `manifest.unknown-field`; each has an entry in the diagnostics reference. */
  readonly code: DiagnosticCode | GuardCode | PlanNoteCode | Extract<FaultCode, 'request.invalid'>;
  /** The problem, in a sentence. */
  readonly message: string;
  /** The part that is meant; omitted: all that was judged. */
  readonly path?: DiagnosticPath;
  /** Facts for the front end, such as the corrected form of a value. Never a secret. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The value that was found. */
  readonly found?: string;
  /** The value that was expected. */
  readonly expected?: string;
  /** A way to solve the problem, in words that hold for every front end. */
  readonly hint?: string;
  /** The part of the hint that each front end words in its own terms. */
  readonly remedy?: Remedy;
  /** The position in the text. */
  readonly place?: Place;
  /** Related places, such as the first of two equal names. */
  readonly related?: readonly { readonly place: Place; readonly message: string }[];
}

/** Creates an error about the part at a path. */
export const errorAt = (
  path: DiagnosticPath,
  code: Diagnostic['code'],
  rest: Omit<Diagnostic, 'severity' | 'code' | 'path'>,
): Diagnostic => ({ severity: 'error', code, path, ...rest });

/** Every code a diagnostic can have, with what it is about: the diagnostics reference is made from this table. */
export const DIAGNOSTIC_CODES = {
  'manifest.unreadable': 'A manifest file or folder could not be read.',
  'manifest.no-files': 'A folder contains no manifest files.',
  'manifest.syntax': 'The file is not valid YAML 1.2 or, if its name ends in `.tf.json`, not valid JSON.',
  'manifest.unknown-field': 'A field does not exist in the manifest language.',
  'manifest.missing-field': 'A required field is missing.',
  'manifest.wrong-type': 'A value has the wrong type.',
  'manifest.invalid-value': 'A value has the right type but is not allowed.',
  'manifest.unsupported-version': 'This version of Keyplane cannot read that `version`.',
  'manifest.duplicate-key': 'A key name is declared twice, or two names differ only by case.',
  'manifest.conflicting-field': 'Two files give conflicting values for the gateway or the ownership.',
  'manifest.invalid-name': 'A key name exceeds the limits of the contract.',
  'manifest.invalid-ip-rule': 'An IP rule is not an address or a canonical CIDR range.',
  'manifest.empty-allowlist': 'An allowlist is empty: the gateway would reject every request, or accept all of them.',
  'manifest.invalid-amount': 'An amount of money is not an exact number in range.',
  'manifest.duplicate-entry': 'A list contains an entry twice (a warning).',
  'manifest.past-expiry': 'An expiry is in the past (a warning).',
  'manifest.invalid-rename': '`renamedFrom` names a key that is declared, protected or renamed twice.',
  'manifest.no-effect': 'A field has no effect as it is written (a warning).',
  'manifest.outside-scope': 'A declared name is outside `ownership.scope`.',
  'manifest.unset-variable': '`${env:NAME}` refers to a variable that is not set.',
  'manifest.unreadable-reference':
    '`${file:path}` refers to a file that cannot be read, or the kind of reference is unknown.',
  'manifest.variable-not-allowed': '`${env:NAME}` refers to a variable that was not allowed outside the manifest.',
  'manifest.reference-not-allowed':
    'A reference is where none is replaced: in the address, the access token file, or a name.',
  'manifest.outside-folder': 'A path or a link in the manifest leads out of its folder, or to a hidden file.',
  'manifest.shared-sink': 'Two secrets are to be delivered to one sink, or to one file that has room for one.',
  'manifest.secret-in-manifest': 'The manifest contains a system access token, an API key or another credential.',
  'manifest.invalid-check':
    'A check is invalid: its request exceeds a limit of the contract, or its module cannot evaluate it.',
  'manifest.unused-check': 'No key selects a check (a warning).',
  'manifest.unknown-check':
    'A key selects a check that is neither defined nor the name of a module, a kind or a class.',
  'terraform.unresolved': 'Terraform JSON contains a value that only Terraform can evaluate.',
  'terraform.not-supported':
    'Terraform JSON contains something that affects the declared keys and that only Terraform supports.',
  'terraform.annotation': 'A construct attached an error or a warning to its output.',
  'terraform.several-accounts': 'Terraform JSON declares keys of several accounts; one run handles one account.',
  'terraform.unfinished':
    'A stack is newer than the file that lists it: a synthesis may have failed halfway (a warning).',
  'terraform.left-out': 'Terraform JSON contains something that Keyplane ignores and leaves to Terraform (a warning).',
} as const satisfies Record<string, string>;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;

/** The codes of a plan’s notes: facts worth a line that are neither changes nor trouble. */
export const PLAN_NOTES = {
  'expired-as-declared': 'The key is expired, as declared.',
  'expired-undeclared': 'The key is expired, and its expiry is not declared.',
  'exhausted-as-declared': 'The key has used up its budget, as declared.',
  'no-budget': 'A new key has no budget, so the guard refuses to create it.',
  'rotation-due': 'A key gets a successor in this run, because its generation is as old as its rotation allows.',
  'rotation-waits': 'A key is due for rotation and gets no successor yet.',
  'old-generation': 'An old generation of a key stays, until when or why, and what it can still spend.',
  'quarantine-restarts':
    'The quarantine of a key begins again, because the key was used since, or because its name states a quarantine that does not fit it.',
  'budget-unverified':
    'Nothing shows whether the key holds more than its budget leaves, so its budget was not written.',
  'log-incomplete':
    'The usage log does not account for all that the key used, so its budget was raised no further than its use is proven, or not at all.',
  'former-use':
    'Keys that no longer have this name used a part of the allowance of the window, so the key gets what they left.',
  'topped-up-by-hand':
    'A key with a `below` budget was topped up by hand. Known when more remains than the amount and, where the gateway reports the use of each key, until its first refill.',
  'case-differs': 'A live key differs from a declared name only by case.',
  'not-supported':
    'A declared setting has no effect, because the gateway does not have it, or does not keep it in the group of the key.',
  'not-held':
    'A declared setting cannot be written, because the gateway cannot hold it: an apply refuses the change, and nothing of it is written.',
  'auto-groups-cleared':
    'The gateway removes settings that a key may only have in the group `auto`, because the plan moves the key to another group.',
  'odd-record': 'The record of a key has a value that no key should have, such as status 77.',
  'key-limit': 'The account will have more keys than gateways usually allow.',
  'groups-unverified': 'Groups were not verified, because the gateway lists them in an unknown format.',
  'gateway-not-asked':
    'The plan compares two manifests: the gateway was not asked, so the keys are taken to be as the earlier one declares them, and unused.',
  'models-unverified': 'Models were not verified, because no API key was given to list them with.',
} as const satisfies Record<string, string>;

export type PlanNoteCode = keyof typeof PLAN_NOTES;

/** The codes with which the guard refuses a plan: a run that is refused ends with a fault of the same code. */
export type GuardCode = Extract<FaultCode, `guard.${string}`>;
