interface Input {
  /** Address of the JSON Schema, where editors find it. */
  readonly schema: string;
  readonly url?: string;
  readonly userId?: number;
}

const EXAMPLE = `ownership:
  # Names that this manifest owns: keys that match and are not declared below are shown, and pruned if you ask for it.
  # scope: "prod-*"
  prune: never            # never | disable | delete
  # protect: ["prod-root-*"]

# Default values of fields that a key omits.
# defaults:
#   group: default
#   budget: { usd: 10 }

keys: {}   # replace this line:
# keys:
#   prod-checkout:
#     models: [alpha-chat-1, text-embedding-3-small]   # absent: any model
#     allowIps: [10.0.0.0/8, 203.0.113.7]              # absent: from anywhere
#     expires: never                                   # or 2027-03-31T00:00:00Z
#     budget: { usd: 25 }                              # or unlimited, or { usd: 25, per: month }
`;

/** The manifest that \`init\` writes: valid, with an example in its comments. */
export function initialManifest({ schema, url, userId }: Input): string {
  const gateway = [
    url === undefined ? '  # url: https://gateway.example.com   (or KEYPLANE_URL)' : `  url: ${JSON.stringify(url)}`,
    userId === undefined ? '  # userId: 42                        (or KEYPLANE_USER_ID)' : `  userId: ${userId}`,
    '  # Never write the system access token here: set KEYPLANE_ACCESS_TOKEN, or',
    '  # accessTokenFile: .keyplane/access.token',
  ];
  const named = url !== undefined || userId !== undefined;
  return [
    `# yaml-language-server: $schema=${schema}`,
    'version: 1',
    '',
    named ? 'gateway:' : '# gateway:',
    ...gateway,
    '',
    EXAMPLE,
  ].join('\n');
}
