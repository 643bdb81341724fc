import { describe, it } from 'vitest';
import { keyStoreContract, memoryStore } from '../../src/store.ts';
import { BODIES } from './bodies.ts';

// The contract that the package offers for the stores of others holds for every body of its own.
for (const { title, open } of BODIES) keyStoreContract({ describe, it }, title, open);

keyStoreContract({ describe, it }, 'the account in memory, as the package opens it', async () => ({
  store: memoryStore(),
}));
