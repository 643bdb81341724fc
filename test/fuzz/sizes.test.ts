import { describeSizes } from './sizes.ts';

describeSizes(() => 16 * 1024);
