import type { Advice, Remedy } from './remedy.ts';

interface FaultEntry {
  /** May the same request be sent again without harm? `look` = find out first whether it took effect. */
  readonly retry: 'yes' | 'no' | 'look';
  readonly doc: string;
}

/**
 * Every fault there is, with its retry and documentation.
 * `retry` speaks of the request that failed, not of the command: commands may always be run again.
 */
export const FAULTS = {
  'gateway.unreachable': {
    retry: 'yes',
    doc: 'Keyplane cannot connect to the gateway: host name, address, port, proxy or TLS.',
  },
  'gateway.timeout': { retry: 'look', doc: 'The gateway did not respond in time.' },
  'gateway.connection-lost': { retry: 'look', doc: 'The connection ended before the response was complete.' },
  'gateway.rate-limited': { retry: 'yes', doc: 'The gateway kept responding with 429 until the retry limit.' },
  'gateway.unavailable': {
    retry: 'look',
    doc: 'The gateway, or a proxy in front of it, responded with a 5xx status.',
  },
  'gateway.not-json': {
    retry: 'look',
    doc: 'The response is not JSON: it may come from a proxy, a login page or another server.',
  },
  'gateway.unexpected-shape': {
    retry: 'look',
    doc: 'The response is JSON, but does not match the contract.',
  },
  'gateway.refused': { retry: 'no', doc: 'The gateway understood the request and rejected it.' },
  'gateway.unsupported': {
    retry: 'no',
    doc: 'The gateway is not of a kind that Keyplane can write to, or its list of keys contradicts its profile. Reading still works.',
  },
  'gateway.key-limit': {
    retry: 'no',
    doc: 'The gateway rejected a new key, and the account has as many keys as gateways usually allow.',
  },
  'gateway.not-found': { retry: 'no', doc: 'The key does not exist, or belongs to another account.' },
  'gateway.redirected': {
    retry: 'no',
    doc: 'The gateway redirects to another address. Keyplane does not send credentials there.',
  },
  'gateway.indeterminate': {
    retry: 'look',
    doc: 'The response to a write was lost, and a lookup did not show whether the write took effect.',
  },
  'gateway.listing-moves': { retry: 'yes', doc: 'The key list kept changing while it was being read.' },
  'gateway.interrupted': { retry: 'look', doc: 'The run was interrupted before the request was sent or answered.' },
  'gateway.no-channel': {
    retry: 'no',
    doc: 'The gateway has no upstream for this model, or none at the moment.',
  },
  'gateway.upstream-refused': {
    retry: 'no',
    doc: 'An upstream rejected the credentials of the gateway; the API key itself is accepted.',
  },
  'gateway.overloaded': {
    retry: 'yes',
    doc: 'The gateway accepts no requests at the moment, because its machine is overloaded.',
  },
  'gateway.no-price': {
    retry: 'no',
    doc: 'The gateway has no price for this model, so it does not serve it.',
  },
  'request.invalid': {
    retry: 'no',
    doc: 'The request exceeds a limit of the contract. It was not sent, so it cost nothing.',
  },
  'request.refused': { retry: 'no', doc: 'The gateway rejected the content of an inference or media request.' },
  'key.refused': {
    retry: 'no',
    doc: 'The gateway rejected the API key: unknown, disabled, expired or exhausted.',
  },
  'key.model-not-allowed': { retry: 'no', doc: 'The API key may not use this model.' },
  'key.address-not-allowed': { retry: 'no', doc: 'The API key may not be used from this address.' },
  'key.group-not-allowed': { retry: 'no', doc: 'The API key may not use its group.' },
  'key.exhausted': {
    retry: 'no',
    doc: 'The remaining quota of the API key is less than the request may cost.',
  },
  'wallet.empty': { retry: 'no', doc: 'The account’s balance is less than the request may cost.' },
  'stream.broken': {
    retry: 'look',
    doc: 'A stream ended before its final event, or one of its events cannot be read.',
  },
  'video.unsettled': {
    retry: 'yes',
    doc: 'A video task did not finish within the time limit.',
  },
  'media.damaged': {
    retry: 'yes',
    doc: 'A downloaded file is shorter or longer than announced, or is not valid Base64.',
  },
  'check.failed': { retry: 'no', doc: 'A check of a key failed; the report names it and the reason.' },
  'check.cost-cap': {
    retry: 'no',
    doc: 'Checks were skipped, because they might have exceeded the cost limit, or they cost more than it.',
  },
  'credentials.refused': { retry: 'no', doc: 'The gateway rejected the system access token or the user ID.' },
  'credentials.banned': { retry: 'no', doc: 'The access token is valid, and its user is disabled at the gateway.' },
  'credentials.missing': { retry: 'no', doc: 'The system access token or the user ID is missing.' },
  'credentials.other-account': {
    retry: 'no',
    doc: 'The access token belongs to another user than the configured one: the gateway would change the keys of that user.',
  },
  'usage.invalid': { retry: 'no', doc: 'The command line is invalid.' },
  'settings.conflicting': {
    retry: 'no',
    doc: 'The environment and the manifest name different gateways or accounts, and no flag chooses one.',
  },
  'settings.unconfirmed-origin': {
    retry: 'no',
    doc: 'Only the manifest names the gateway, and nobody has confirmed that credentials may be sent there.',
  },
  'manifest.invalid': { retry: 'no', doc: 'The manifest has errors; its diagnostics list them.' },
  'manifest.holds-references': {
    retry: 'no',
    doc: 'The output would contain values from the environment or from files, which must be allowed explicitly.',
  },
  'plan.ambiguous': {
    retry: 'no',
    doc: 'Two live keys match one declared name, or one live key matches two declarations.',
  },
  'plan.no-such-key': {
    retry: 'no',
    doc: 'A glob that a run was limited to matches no key.',
  },
  'plan.not-held': {
    retry: 'no',
    doc: 'An enable was permitted for a name that no held enable has.',
  },
  'plan.stale': { retry: 'no', doc: 'Something that the plan would change has changed since the plan was made.' },
  'plan.foreign': { retry: 'no', doc: 'The saved plan was made for another gateway or account.' },
  'plan.other-manifest': {
    retry: 'no',
    doc: 'The manifest has changed since a saved plan was made from it.',
  },
  'plan.unexpected': { retry: 'no', doc: 'A saved plan is not the one that was expected.' },
  'plan.unreadable': { retry: 'no', doc: 'The saved plan cannot be read, or has another version.' },
  'plan.stale-adoption': {
    retry: 'no',
    doc: 'A key that is declared by its ID has another name, or no longer exists.',
  },
  'plan.holds-credential': {
    retry: 'no',
    doc: 'A plan or a manifest was not written, because a setting of a live key contains a credential, or what looks like one.',
  },
  'plan.too-large': {
    retry: 'no',
    doc: 'A plan was not saved, because its file would be larger than an apply reads.',
  },
  'plan.amount-too-large': {
    retry: 'no',
    doc: 'An amount is too large: converted to quota units, it cannot be stored exactly.',
  },
  'plan.amount-too-small': {
    retry: 'no',
    doc: 'A budget in dollars is, at the gateway’s rate, less than one quota unit.',
  },
  'plan.usage-too-long': {
    retry: 'no',
    doc: 'To compute the budgets, Keyplane would have to read more pages of the usage log than allowed.',
  },
  'guard.mass-change': { retry: 'no', doc: 'Too many owned keys would be deleted or disabled in one run.' },
  'guard.last-key': {
    retry: 'no',
    doc: 'All owned keys, or the last enabled one, would be deleted or disabled.',
  },
  'guard.protected': { retry: 'no', doc: 'A protected key would be disabled, deleted or renamed.' },
  'guard.unknown-group': { retry: 'no', doc: 'A group does not exist in the account.' },
  'guard.unknown-model': { retry: 'no', doc: 'A model is not available to the account.' },
  'guard.no-budget': { retry: 'no', doc: 'A key would be created without a budget.' },
  'guard.policy': { retry: 'no', doc: 'A key breaks a rule of the policy.' },
  'guard.unconfirmed': { retry: 'no', doc: 'The change was not confirmed.' },
  'apply.locked': { retry: 'no', doc: 'Another Keyplane run is changing the same account.' },
  'apply.lock-lost': {
    retry: 'no',
    doc: 'A run could not renew its lock of the account in time, or somebody removed it: the run wrote nothing after that.',
  },
  'apply.lock-unavailable': {
    retry: 'no',
    doc: 'The gateway cannot hold the lock of the account: it has no search, or the account has as many keys as it may have.',
  },
  'apply.duplicate': { retry: 'no', doc: 'After a create, more than one new key has the same name.' },
  'apply.incomplete': { retry: 'no', doc: 'Some changes were applied and some were not.' },
  'apply.left-enabled': {
    retry: 'no',
    doc: 'A key that is declared disabled was created, and could not be disabled or may not have been: it works.',
  },
  'apply.budget-unverified': {
    retry: 'no',
    doc: 'A key was used while its budget was being written, and the difference could not be taken back; or the usage log does not account for its use, so that its budget was not raised.',
  },
  'apply.not-kept': { retry: 'no', doc: 'The gateway accepted a setting and did not keep it.' },
  'apply.not-converged': { retry: 'no', doc: 'The gateway accepted every write, but changes are still pending.' },
  'sink.foreign': {
    retry: 'no',
    doc: 'A sink holds a value that Keyplane did not write, so it is not replaced.',
  },
  'sink.not-allowed': { retry: 'no', doc: 'The run may not use this sink.' },
  'sink.unreachable': {
    retry: 'look',
    doc: 'A sink did not respond, or a program that writes to it did not end in time.',
  },
  'sink.rate-limited': { retry: 'yes', doc: 'A sink kept limiting requests until the retry limit.' },
  'sink.unauthorized': {
    retry: 'no',
    doc: 'A sink rejected the credentials of the run or their permissions, or no credentials were given for it.',
  },
  'sink.unexpected-answer': {
    retry: 'look',
    doc: 'A sink responded in another way than its API documents: a proxy or a login page may have responded in its place.',
  },
  'sink.refused': { retry: 'no', doc: 'A sink rejected the request, or a program that writes to it failed.' },
  'sink.unreadable': {
    retry: 'no',
    doc: 'What a sink holds cannot be read or changed safely: a file that is malformed, ambiguous or not a regular file.',
  },
  'sink.stale': { retry: 'yes', doc: 'Somebody else wrote to a sink at the same moment. Nothing was written.' },
  'sink.not-kept': { retry: 'no', doc: 'A sink accepted a secret and does not hold it.' },
  'sink.undelivered': {
    retry: 'no',
    doc: 'The secret of a key did not arrive in every sink. The next apply delivers it.',
  },
  'file.locked': { retry: 'yes', doc: 'Another process is using the file.' },
  'file.unwritable': { retry: 'no', doc: 'A file could not be read or written.' },
  'tool.missing-package': {
    retry: 'no',
    doc: 'A package that only some users need is not installed: sharp, which decodes images, libsql, which stores the ledger of the reference gateway, or the client of AWS Secrets Manager.',
  },
  'tool.incomplete': {
    retry: 'no',
    doc: 'A file of Keyplane is missing: the installation is incomplete, or was replaced while Keyplane was running.',
  },
  'store.failed': { retry: 'look', doc: 'A store that is not part of Keyplane threw an error of its own.' },
  'tool.defect': { retry: 'no', doc: 'A bug in Keyplane. Please report it.' },
} as const satisfies Record<string, FaultEntry>;

/** The codes of faults. The reference of faults describes each. */
export type FaultCode = keyof typeof FAULTS;

/** Plain data about a fault for the JSON report. Never a secret. */
export type FaultDetail = Readonly<Record<string, unknown>>;

/** Recognizes a fault also of another copy of Keyplane in the same program. */
const BRAND = Symbol.for('keyplane.error');

/**
 * Trouble with the world or with Keyplane, with one of a closed set of codes. The message is for the user. Programs know the class
 * as `KeyplaneError`.
 */
export class Fault extends Error {
  override readonly name = 'KeyplaneError';
  readonly code: FaultCode;
  /** Advice that holds for every front end. */
  readonly hint: string | undefined;
  /** The part of it that each front end words in its own terms. */
  readonly remedy: Remedy | undefined;
  readonly detail: FaultDetail;

  constructor(code: FaultCode, message: string, more: Advice & { detail?: FaultDetail; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.hint = more.hint;
    this.remedy = more.remedy;
    this.detail = more.detail ?? {};
  }

  get [BRAND](): true {
    return true;
  }

  /** The answer to whether the same request may be sent again without harm; `look`: find out first whether it took effect. */
  get retry(): FaultEntry['retry'] {
    return FAULTS[this.code].retry;
  }

  /** The status of the response that the fault is about. */
  get status(): number | undefined {
    return typeof this.detail.status === 'number' ? this.detail.status : undefined;
  }

  /** The ID that the gateway gave the request. */
  get requestId(): string | undefined {
    return typeof this.detail.requestId === 'string' ? this.detail.requestId : undefined;
  }

  /** The certainty that the request left this machine; undefined where there was none. */
  get sent(): 'no' | 'maybe' | 'yes' | undefined {
    const { sent } = this.detail;
    return sent === 'no' || sent === 'maybe' || sent === 'yes' ? sent : undefined;
  }
}

/** Narrows what was thrown to an error of the system or of Node.js with this code. */
export const isErrorWithCode = (thrown: unknown, code: string): thrown is Error & { readonly code: string } =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code;

/** Node.js found no file for an import of ours; packages that are optional are looked for elsewhere, and reported by name. */
const isMissingFile = (thrown: unknown): thrown is Error & { readonly url: string } =>
  isErrorWithCode(thrown, 'ERR_MODULE_NOT_FOUND') &&
  'url' in thrown &&
  typeof thrown.url === 'string' &&
  thrown.url.startsWith('file:');

const pathIn = (url: string): string => decodeURIComponent(url.replace(/^file:\/\//, ''));

/** Returns true for a fault, of this copy of Keyplane or of another one; with codes, for one of these. */
export const isFault = (thrown: unknown, ...codes: readonly FaultCode[]): thrown is Fault =>
  thrown instanceof Error &&
  BRAND in thrown &&
  'code' in thrown &&
  (codes.length === 0 || codes.some((code) => code === thrown.code));

/** Converts anything thrown to a Fault. Anything that is not a Fault is a defect of Keyplane. */
export function asFault(thrown: unknown): Fault {
  if (isFault(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (isMissingFile(thrown)) {
    return new Fault('tool.incomplete', `A file of Keyplane is missing: ${pathIn(thrown.url)}.`, {
      cause: thrown,
      hint: 'The installation is incomplete, or was replaced while Keyplane was running. Run the command again or, if that does not help, install Keyplane again.',
    });
  }
  return new Fault('tool.defect', message, { cause: thrown, hint: 'This is a bug in Keyplane. Please report it.' });
}
