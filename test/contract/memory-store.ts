export { type Hook, type MemoryOptions, MemoryStore } from '../../src/memory/index.ts';
