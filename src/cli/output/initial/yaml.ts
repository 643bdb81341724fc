import { accountOf, commandOf, completed, type Project, type ProjectInput } from './project.ts';

const head = ({
  url,
  userId,
}: ReturnType<typeof accountOf>): string => `# yaml-language-server: $schema=./keyplane.schema.json
version: 1

gateway:
  url: ${JSON.stringify(url)}
  userId: ${userId}
`;

const keys = (expires: string): string => `ownership:
  protect: [prod-checkout]

defaults:
  allowIps: ["127.0.0.1/32", "10.0.0.0/8"]
  expires: ${expires}

keys:
  prod-checkout:
    models: [alpha-chat-1]
    budget: { usd: 25, per: month }
    checks: [pong]
  prod-search:
    models: [text-embedding-3-small]
    budget: { usd: 10 }

checks:
  pong: { module: chat, model: alpha-chat-1, expect: { maxLatencyMs: 10000 } }
`;

/** A manifest with two keys and a check, and its schema for editors. */
export function yamlProject(input: ProjectInput, schema: string): Project {
  const files = {
    'keyplane.yaml': [head(accountOf(input)), keys(input.expires)].join('\n'),
    'keyplane.schema.json': schema,
    '.gitignore': '.keyplane/\n*.plan.json\n*.token\n',
  };
  const steps = [{ command: `${commandOf(input)} plan` }];
  return completed({ title: 'The keys of an LLM gateway, as a manifest.', files, steps }, input);
}
