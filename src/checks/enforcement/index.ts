import type { CheckModuleEntry } from '../module.ts';

export const ENFORCEMENT_MODULES: readonly CheckModuleEntry[] = [];
