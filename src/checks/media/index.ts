import type { CheckModuleEntry } from '../module.ts';

export const MEDIA_MODULES: readonly CheckModuleEntry[] = [];
