import type { CheckModule, CustomModule } from '../domain/index.ts';
import type { CheckModuleEntry, ModuleFacts } from './check-module.ts';
import { BYPASS_MODULES, ENFORCEMENT_MODULES } from './enforcement/index.ts';
import { INFERENCE_MODULES } from './inference/index.ts';
import { MEDIA_MODULES } from './media/index.ts';

/** Every check module. */
export const CATALOG: readonly CheckModuleEntry[] = [
  ...INFERENCE_MODULES,
  ...MEDIA_MODULES,
  ...ENFORCEMENT_MODULES,
  ...BYPASS_MODULES,
];

/** The purpose of each module, its cost, and the assertions that it supports. */
export const CHECK_MODULE_FACTS: readonly ModuleFacts[] = CATALOG;

export function findModule(id: CheckModule | CustomModule): CheckModuleEntry {
  const entry = CATALOG.find((each) => each.id === id);
  if (entry === undefined) throw new Error(`no module ${id}`);
  return entry;
}
