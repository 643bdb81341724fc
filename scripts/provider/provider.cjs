// The door of the provider: looks at Node.js before it loads what only a newer one can read. Terraform shows what comes on
// standard output when a provider does not come up.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  import('./lib/main.mjs');
} else {
  const found = `the node on the PATH is ${process.versions.node}`;
  process.stdout.write(
    `The Keyplane provider needs Node.js 20.19 or newer; ${found}. Install one from https://nodejs.org\n`,
  );
  process.exitCode = 1;
}
