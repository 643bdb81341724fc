// The entry point of the provider: checks the version of Node.js before it loads code that needs a newer one. When a provider
// does not start, Terraform shows its standard output.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  // @ts-expect-error: the bundle only exists next to the built provider.
  import('./lib/main.mjs');
} else {
  const found = `the node on the PATH is ${process.versions.node}`;
  process.stdout.write(
    `The Keyplane provider needs Node.js 20.19 or newer; ${found}. Install one from https://nodejs.org\n`,
  );
  process.exitCode = 1;
}
