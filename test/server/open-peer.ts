import { kindNamed } from './kinds.ts';
import type { Peer } from './peer.ts';
import { openServer } from './server.ts';
import { openTwin, profileNamed, type TwinOptions } from './twin.ts';

/**
 * Opens the peer that the environment names, or else the reference gateway as it is deployed.
 *
 * CONTRIBUTING.md describes the variables. The server must reach this machine's loopback addresses, because the reference
 * gateway is its upstream.
 */
export function openPeer(options: TwinOptions = {}): Promise<Peer> {
  const { KEYPLANE_ACCEPTANCE_URL: url, KEYPLANE_ACCEPTANCE_ADMIN: administrator = '' } = process.env;
  if (!url) return openTwin(profileNamed(process.env.KEYPLANE_ACCEPTANCE_PROFILE ?? 'deployed'), options);
  const [username = '', ...password] = administrator.split(':');
  const kind = kindNamed(process.env.KEYPLANE_ACCEPTANCE_KIND ?? 'new-api');
  return openServer(url, { username, password: password.join(':') }, kind);
}
