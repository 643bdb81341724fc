import type { CheckModule } from '../domain/index.ts';
import type { CheckModuleEntry } from './check-module.ts';
import { ENFORCEMENT_MODULES } from './enforcement/index.ts';
import { INFERENCE_MODULES } from './inference/index.ts';
import { MEDIA_MODULES } from './media/index.ts';

/** Every module there is. */
export const CATALOG: readonly CheckModuleEntry[] = [...INFERENCE_MODULES, ...MEDIA_MODULES, ...ENFORCEMENT_MODULES];

export const findModule = (id: CheckModule): CheckModuleEntry =>
  CATALOG.find((entry) => entry.id === id) as CheckModuleEntry;
