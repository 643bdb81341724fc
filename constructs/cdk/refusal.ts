import type { Construct } from 'constructs';
import { blankCredentials } from '../../src/domain/index.ts';

/** What stops a construct from being made at all. No credential that was pasted somewhere is shown again. */
export const refusal = (construct: Construct, text: string): Error =>
  new Error(blankCredentials(`${construct.node.path}: ${text}`));
