import { describeReaders } from './suite.ts';

describeReaders(20_000);
