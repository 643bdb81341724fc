// Stands in for `keyplane` where examples are only to be understood: takes a command line or complains, and does nothing.
import { parseCommandLine, TREE } from '../../../dist/src/cli/index.js';

try {
  parseCommandLine(TREE, process.argv.slice(2), 80);
} catch (fault) {
  process.stderr.write(`${fault.message}\n`);
  process.exitCode = 3;
}
