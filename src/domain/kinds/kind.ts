import type { Quota } from '../quantity.ts';
import type { UnixSeconds } from '../window.ts';
import type { Budget } from './budget.ts';
import type { IpRule } from './ip-rule.ts';

/** The value of a declared field, by kind. `null`: no restriction. */
export interface DeclaredValues {
  readonly flag: boolean;
  readonly text: string;
  readonly textSet: readonly string[] | null;
  readonly ipSet: readonly IpRule[] | null;
  readonly instant: UnixSeconds | null;
  readonly budget: Budget;
  /** Canonical JSON text; empty: none. */
  readonly json: string;
}
export type DeclaredKind = keyof DeclaredValues;

/** The value of a setting, by kind. A live key may hold any text where a declaration holds a rule or JSON. */
export interface SettingValues {
  readonly flag: boolean;
  readonly text: string;
  readonly textSet: readonly string[] | null;
  readonly ipSet: readonly string[] | null;
  readonly instant: UnixSeconds | null;
  readonly quota: Quota;
  /** JSON text as stored; empty: none. */
  readonly json: string;
}
export type SettingKind = keyof SettingValues;
