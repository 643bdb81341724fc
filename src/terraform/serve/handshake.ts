/** The parameters that core passes to a provider in its environment. */
export interface HandshakeRequest {
  /** Core’s certificate, PEM: no other client is served. Absent when core asks for no TLS. */
  readonly clientCertificate?: string;
  /** The folder for sockets, if core specifies one. */
  readonly socketFolder?: string;
  /** Core asks whether the provider can multiplex connections. */
  readonly asksForMultiplexing: boolean;
}

/** The environment of the plugin’s process. */
export type PluginEnvironment = Readonly<Record<string, string | undefined>>;

const COOKIE = ['TF_PLUGIN_MAGIC_COOKIE', 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2'] as const;

const PROTOCOL = 6;

/** The version of go-plugin’s own protocol. */
const CORE_PROTOCOL = 1;

export const NOT_RUN_BY_HAND = `This program is a provider for Terraform and OpenTofu, which start it themselves. Do not run it by hand.
`;

/** Undefined when this process was not started by Terraform or OpenTofu. */
export function tryReadHandshake(env: PluginEnvironment): HandshakeRequest | undefined {
  const [name, value] = COOKIE;
  if (env[name] !== value) return undefined;
  const { PLUGIN_CLIENT_CERT: clientCertificate, PLUGIN_UNIX_SOCKET_DIR: socketFolder } = env;
  return {
    ...(clientCertificate ? { clientCertificate } : {}),
    ...(socketFolder ? { socketFolder } : {}),
    asksForMultiplexing: Boolean(env.PLUGIN_MULTIPLEX_GRPC),
  };
}

/** Returns whether core supports protocol 6; assumes so when core does not list its versions. */
export const supportsProtocol = ({ PLUGIN_PROTOCOL_VERSIONS: offered }: PluginEnvironment): boolean =>
  !offered || offered.split(',').includes(String(PROTOCOL));

/** Returns the line on standard output that core waits for. Core expects Base64 without padding. */
export function handshakeLine(socket: string, certificate: Uint8Array | undefined, request: HandshakeRequest): string {
  const pinned = certificate ? Buffer.from(certificate).toString('base64').replace(/=+$/, '') : '';
  const parts = [CORE_PROTOCOL, PROTOCOL, 'unix', socket, 'grpc', pinned];
  return `${[...parts, ...(request.asksForMultiplexing ? ['false'] : [])].join('|')}\n`;
}
