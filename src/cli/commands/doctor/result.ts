import type { Fault } from '../../../domain/index.ts';

/** The result of one test of the doctor. `check` is short and stable: `address`, `connection`, `token`, … */
export type DoctorResult = { readonly check: string } & (
  | { readonly state: 'ok' | 'skipped'; readonly message: string }
  | { readonly state: 'warning'; readonly message: string; readonly hint: string }
  | { readonly state: 'failed'; readonly fault: Fault }
);

export const ok = (check: string, message: string): DoctorResult => ({ check, state: 'ok', message });

export const warning = (check: string, message: string, hint: string): DoctorResult => ({
  check,
  state: 'warning',
  message,
  hint,
});

export const skipped = (check: string, message: string): DoctorResult => ({ check, state: 'skipped', message });

export const failed = (check: string, fault: Fault): DoctorResult => ({ check, state: 'failed', fault });

/** The reason to skip a test of something that an invalid manifest may declare. */
export const UNREAD = 'the manifest may declare it, but has errors';
