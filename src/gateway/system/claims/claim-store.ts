import { asFault, Fault, type FaultCode, type KeyId, LOCK_NAME } from '../../../domain/index.ts';
import type { Claim, ClaimStore, KeyStore } from '../../../reconcile/index.ts';
import { SYSTEM_LIMITS } from '../../../wire/index.ts';
import { undefinedIfGone } from '../absence.ts';
import { reviseKey } from '../key-writes.ts';
import { walkKeys } from '../listing.ts';
import type { KeyPage, SystemApi } from '../system-api.ts';
import { modelsOfNote, settingsOfNote, tryFindClaim } from './claim-key.ts';

/** The claims of an account, as keys of a live gateway with a reserved name. */
export const createClaimStore = (
  api: SystemApi,
  { account, verifyAccount }: Pick<KeyStore, 'account' | 'verifyAccount'>,
): ClaimStore => ({
  account,
  verifyAccount,
  async list() {
    await verifyAccount();
    return claimsIn(await searchWhole(api));
  },
  async place(note) {
    await verifyAccount();
    await api.createKey(settingsOfNote(note)).catch(unavailableOn(['gateway.refused'], REFUSED));
  },
  async renew(id, note) {
    try {
      await reviseKey(api, id, (now) => {
        if (tryFindClaim(now)?.note?.nonce !== note.nonce) throw new Fault('gateway.not-found', 'another claim');
        return { models: modelsOfNote(note) };
      });
      return true;
    } catch (thrown) {
      if (asFault(thrown).code === 'gateway.not-found') return false;
      throw thrown;
    }
  },
  remove: (id) => remove(api, id),
  async removeAllOf(nonce) {
    const keys = await walkKeys((page) =>
      api.listKeys({ page, size: SYSTEM_LIMITS.pageSize, excludeSmartRouting: false }),
    );
    const own = claimsIn({ keys }).filter(({ note }) => note?.nonce === nonce);
    for (const { id } of own) await remove(api, id);
  },
});

const claimsIn = ({ keys }: Pick<KeyPage, 'keys'>): readonly Claim[] => keys.flatMap((key) => tryFindClaim(key) ?? []);

/** A run that is interrupted gives its claim back all the same. */
const remove = async (api: SystemApi, id: KeyId): Promise<void> => {
  await undefinedIfGone(api, id, api.deleteKey(id, 'although-interrupted'));
};

/** All keys with the name in one request, because pages are not one moment: a delete between two of them hides a key. */
async function searchWhole(api: SystemApi): Promise<KeyPage> {
  const size = SYSTEM_LIMITS.pageSize;
  const found = await api
    .searchKeys({ keyword: LOCK_NAME, page: 1, size })
    .catch(unavailableOn(NO_SEARCH, CANNOT_SEARCH));
  const isWhole = found.total === undefined ? found.keys.length < size : found.keys.length >= found.total;
  if (isWhole) return found;
  throw new Fault('apply.lock-unavailable', `More keys than one page match the name of the lock, ${LOCK_NAME}.`);
}

const NO_SEARCH: readonly FaultCode[] = [
  'gateway.refused',
  'gateway.not-found',
  'gateway.not-json',
  'gateway.unexpected-shape',
];
const CANNOT_SEARCH = 'The gateway cannot search for a key';
const REFUSED = 'The gateway refused the key that claims the lock';

const unavailableOn =
  (codes: readonly FaultCode[], what: string) =>
  (thrown: unknown): never => {
    const fault = asFault(thrown);
    if (!codes.includes(fault.code)) throw fault;
    throw new Fault('apply.lock-unavailable', `${what}: ${fault.message}`, { cause: fault });
  };
