// The floor of validation: reads a file with the parser of YAML, and does nothing else.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

parse(readFileSync(process.argv[2] ?? '', 'utf8'));
