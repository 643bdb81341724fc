import type { CheckModuleEntry } from '../module.ts';
import { IMAGE } from './image.ts';
import { VIDEO } from './video.ts';

export const MEDIA_MODULES: readonly CheckModuleEntry[] = [IMAGE, VIDEO];
