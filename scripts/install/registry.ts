import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const UPSTREAM = 'https://registry.npmjs.org';

/** A registry that has one package, and sends everybody to the registry of npm for the others. */
export interface LocalRegistry {
  readonly url: string;
  close(): void;
}

/**
 * Starts a registry that serves a tarball as a published package. Package managers unpack a tarball that is named by its path several
 * times, to read what it depends on; users install from a registry.
 *
 * @param description the package.json inside
 */
export async function serveTarball(
  tarball: string,
  description: { readonly name: string; readonly version: string },
): Promise<LocalRegistry> {
  const bytes = readFileSync(tarball);
  const file = `/${description.name}/-/${description.name}-${description.version}.tgz`;
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const shasum = createHash('sha1').update(bytes).digest('hex');
  const server = createServer(({ url = '', headers }, response) => {
    if (url === file) return void response.end(bytes);
    if (url !== `/${description.name}`) return void response.writeHead(307, { location: `${UPSTREAM}${url}` }).end();
    const dist = { integrity, shasum, tarball: `http://${headers.host}${file}` };
    const { name, version } = description;
    const document = { name, 'dist-tags': { latest: version }, versions: { [version]: { ...description, dist } } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...document, time: { [version]: '2020-01-01T00:00:00.000Z' } }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
