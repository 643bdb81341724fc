import type { Ledger } from '../ledger/ledger.ts';

const SETTING = 'logConsumption';

/** Does the gateway log consumption? Administrators of real gateways can switch it off; refunds and errors stay logged. */
export const logsConsumption = (ledger: Ledger): boolean => ledger.tryFindValue(SETTING) !== false;

export const setLogsConsumption = (ledger: Ledger, isOn: boolean): void => ledger.storeValue(SETTING, isOn);
