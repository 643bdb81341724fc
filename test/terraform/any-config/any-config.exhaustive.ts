import { describeConfigs } from './suite.ts';

describeConfigs(2_000);
