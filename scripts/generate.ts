// Writes every generated file, or those of some generators: `npm run generate`, `npm run generate -- limits`.
// With --check it only compares, and fails on a difference.
import { parseArgs } from 'node:util';
import { generateApiPages } from './generate/api/pages.ts';
import { generateApiReport } from './generate/api/report.ts';
import { generateCheckModules } from './generate/check-modules.ts';
import { generateCliDocs } from './generate/cli-docs.ts';
import { generateCompatibility } from './generate/compatibility.ts';
import { generateConstructs } from './generate/constructs.ts';
import { generateEngines } from './generate/engines.ts';
import { type GeneratedFiles, openGeneratedFiles } from './generate/generated-files.ts';
import { generateKeyFields } from './generate/key-fields.ts';
import { generateLimits } from './generate/limits.ts';
import { generateManifest } from './generate/manifest.ts';
import { generateOutput } from './generate/output.ts';
import { generatePlanPicture } from './generate/plan-picture.ts';
import { generateProviderDocs } from './generate/provider-docs.ts';
import { generateReference } from './generate/reference.ts';
import { generateRequestBodies } from './generate/request-bodies.ts';
import { generateSmokeCheckExpect } from './generate/smoke-check-expect.ts';
import { generateTranscripts } from './generate/transcripts.ts';

const GENERATORS: Readonly<Record<string, (files: GeneratedFiles) => void | Promise<void>>> = {
  'api-report': generateApiReport,
  'api-pages': generateApiPages,
  manifest: generateManifest,
  output: generateOutput,
  'cli-docs': generateCliDocs,
  reference: generateReference,
  limits: generateLimits,
  'request-bodies': generateRequestBodies,
  'check-modules': generateCheckModules,
  'key-fields': generateKeyFields,
  'smoke-check-expect': generateSmokeCheckExpect,
  transcripts: generateTranscripts,
  'provider-docs': generateProviderDocs,
  constructs: generateConstructs,
  compatibility: generateCompatibility,
  engines: generateEngines,
  'plan-picture': generatePlanPicture,
};

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(GENERATORS, name));
if (unknown.length > 0)
  throw new Error(`unknown: ${unknown.join(', ')}; expected some of ${Object.keys(GENERATORS).join(', ')}`);

const files = openGeneratedFiles(values.check === true);
for (const [name, generate] of Object.entries(GENERATORS))
  if (positionals.length === 0 || positionals.includes(name)) await generate(files);
process.exitCode = files.hasFailed ? 1 : 0;
