/** What core tells a provider that it starts, in its environment. */
export interface Invitation {
  /** Core’s certificate, PEM: who has another one is not served. Absent: core wants no TLS. */
  readonly clientCertificate?: string;
  /** Where sockets go, if core says so. */
  readonly socketFolder?: string;
  /** Core wants to hear whether several connections share one. */
  readonly asksForMultiplexing: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const COOKIE = ['TF_PLUGIN_MAGIC_COOKIE', 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2'] as const;

const PROTOCOL = 6;

/** Of go-plugin itself. */
const CORE_PROTOCOL = 1;

export const NOT_FOR_PEOPLE = `This program is a provider for Terraform and OpenTofu. They start it by themselves: it is not run by hand.
`;

/** Undefined: nobody who speaks the protocol has started this process. */
export function tryReadInvitation(env: Environment): Invitation | undefined {
  const [name, value] = COOKIE;
  if (env[name] !== value) return undefined;
  const { PLUGIN_CLIENT_CERT: clientCertificate, PLUGIN_UNIX_SOCKET_DIR: socketFolder } = env;
  return {
    ...(clientCertificate ? { clientCertificate } : {}),
    ...(socketFolder ? { socketFolder } : {}),
    asksForMultiplexing: Boolean(env.PLUGIN_MULTIPLEX_GRPC),
  };
}

/** Does core speak our protocol? One that does not say speaks it. */
export const isOffered = ({ PLUGIN_PROTOCOL_VERSIONS: offered }: Environment): boolean =>
  !offered || offered.split(',').includes(String(PROTOCOL));

/** The one line on standard output that core waits for. It wants Base64 without padding. */
export function handshakeLine(socket: string, certificate: Uint8Array | undefined, invitation: Invitation): string {
  const pinned = certificate ? Buffer.from(certificate).toString('base64').replace(/=+$/, '') : '';
  const parts = [CORE_PROTOCOL, PROTOCOL, 'unix', socket, 'grpc', pinned];
  return `${[...parts, ...(invitation.asksForMultiplexing ? ['false'] : [])].join('|')}\n`;
}
