import { describeConfigs } from './suite.ts';

describeConfigs(150);
