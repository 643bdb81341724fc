import type { CheckModuleEntry } from '../check-module.ts';
import { IMAGE } from './image.ts';
import { IMAGE_EDIT, IMAGE_EDIT_STREAM } from './image-edit.ts';
import { IMAGE_STREAM } from './image-stream.ts';
import { VIDEO } from './video.ts';

export const MEDIA_MODULES: readonly CheckModuleEntry[] = [IMAGE, IMAGE_EDIT, IMAGE_EDIT_STREAM, IMAGE_STREAM, VIDEO];
