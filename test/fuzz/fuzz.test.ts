import { describeReaders } from './suite.ts';

describeReaders(100);
