import type { CheckModuleEntry } from '../module.ts';
import { IMAGE } from './image.ts';

export const MEDIA_MODULES: readonly CheckModuleEntry[] = [IMAGE];
