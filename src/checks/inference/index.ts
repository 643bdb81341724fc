import type { CheckModuleEntry } from '../module.ts';

export const INFERENCE_MODULES: readonly CheckModuleEntry[] = [];
