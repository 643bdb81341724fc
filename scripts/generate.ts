// Writes every generated file: `npm run generate`. With --check it only compares, and fails on a difference.
import { generateCheckModules } from './generate/check-modules.ts';
import { generateCliDocs } from './generate/cli-docs.ts';
import { generateConstructs } from './generate/constructs.ts';
import { type GeneratedFiles, openGeneratedFiles } from './generate/generated-files.ts';
import { generateLimits } from './generate/limits.ts';
import { generateManifest } from './generate/manifest.ts';
import { generateProviderDocs } from './generate/provider-docs.ts';
import { generateReference } from './generate/reference.ts';
import { generateSmokeCheckExpect } from './generate/smoke-check-expect.ts';
import { generateTranscripts } from './generate/transcripts.ts';

const GENERATORS: readonly ((files: GeneratedFiles) => void | Promise<void>)[] = [
  generateManifest,
  generateCliDocs,
  generateReference,
  generateLimits,
  generateCheckModules,
  generateSmokeCheckExpect,
  generateTranscripts,
  generateProviderDocs,
  generateConstructs,
];

const files = openGeneratedFiles(process.argv.includes('--check'));
for (const generate of GENERATORS) await generate(files);
process.exitCode = files.hasFailed ? 1 : 0;
