import { existsSync } from 'node:fs';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { FileTarget } from '../../src/domain/index.ts';
import { describeSink, FIRST, METADATA, SECOND, type SinkBody } from '../contract/sink-suite.ts';
import { openIn, scratch, textsBelow } from './scratch.ts';

interface Case {
  readonly title: string;
  readonly target: FileTarget;
  readonly value: (text: string) => string | undefined;
  readonly text: (value: string) => string;
}

const entryOf = (data: unknown): string | undefined => (data as Record<string, string> | null)?.KEY;

const CASES: readonly Case[] = [
  {
    title: 'file, dotenv',
    target: { file: 'app/.env', format: 'dotenv', as: 'KEY' },
    value: (text) => /^KEY=(.*)$/m.exec(text)?.[1],
    text: (value) => `OTHER=1\nKEY=${value}\n`,
  },
  {
    title: 'file, JSON',
    target: { file: 'app/secrets.json', format: 'json', as: 'KEY' },
    value: (text) => entryOf(JSON.parse(text)),
    text: (value) => `{ "OTHER": 1, "KEY": "${value}" }\n`,
  },
  {
    title: 'file, YAML',
    target: { file: 'app/secrets.yaml', format: 'yaml', as: 'KEY' },
    value: (text) => entryOf(parse(text)),
    text: (value) => `OTHER: 1 # kept\nKEY: ${value}\n`,
  },
  {
    title: 'file, raw',
    target: { file: 'app/key', format: 'raw' },
    value: (text) => text,
    text: (value) => value,
  },
];

async function bodyOf({ target, value, text }: Case): Promise<SinkBody> {
  const { folder, close } = await scratch();
  const file = join(folder, target.file);
  return {
    open: (options) => openIn(target, folder, options),
    readByOthers: async () => (existsSync(file) ? value(await readFile(file, 'utf8')) : undefined),
    async writeByOthers(other) {
      if (!existsSync(file)) {
        await openIn(target, folder).write(FIRST, METADATA);
        await rm(join(folder, '.keyplane'), { recursive: true });
      }
      await writeFile(file, text(other));
    },
    readPublic: async () => [...(await textsBelow(join(folder, '.keyplane')))].join('\n'),
    writes: async () => (existsSync(file) ? Number((await stat(file, { bigint: true })).mtimeNs) : 0),
    close,
  };
}

for (const each of CASES) {
  describeSink({
    title: each.title,
    start: () => bodyOf(each),
    isReadable: true,
    seesOverwrites: true,
    knowsOwner: true,
  });
}

/** Texts as programs leave them that encrypt values of a file, or all of it. */
const ENCRYPTED: readonly (readonly [string, FileTarget, string])[] = [
  [
    'sops, dotenv',
    { file: '.env', format: 'dotenv', as: 'KEY' },
    'KEY=ENC[AES256_GCM,data:Qk,type:str]\nsops_version=3.13.3\n',
  ],
  [
    'sops, without the entry',
    { file: '.env', format: 'dotenv', as: 'KEY' },
    'A=1\nsops_mac=ENC[AES256_GCM,data:bA==]\n',
  ],
  [
    'sops, JSON',
    { file: 'a.json', format: 'json', as: 'KEY' },
    '{ "A": 1, "sops": { "mac": "ENC[AES256_GCM,data:gP]" } }',
  ],
  [
    'sops, YAML',
    { file: 'a.yaml', format: 'yaml', as: 'KEY' },
    'KEY: ENC[AES256_GCM,data:NB,type:str]\nsops:\n  mac: x\n',
  ],
  ['sops, raw', { file: 'key', format: 'raw' }, '{\n\t"data": "ENC[AES256_GCM,data:mL]"\n}'],
  ['eyaml', { file: 'a.yaml', format: 'yaml', as: 'KEY' }, 'A: ENC[PKCS7,MIIBiQYJ]\n'],
  ['dotenvx', { file: '.env', format: 'dotenv', as: 'KEY' }, 'A="encrypted:BKhtBvBN"\n'],
  ['Ansible Vault', { file: '.env', format: 'dotenv', as: 'KEY' }, '$ANSIBLE_VAULT;1.1;AES256\n6636\n'],
  [
    'Ansible Vault, one value',
    { file: 'a.yaml', format: 'yaml', as: 'KEY' },
    'A: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n',
  ],
  ['age', { file: 'key', format: 'raw' }, '-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n'],
  ['GnuPG', { file: '.env', format: 'dotenv', as: 'KEY' }, '-----BEGIN PGP MESSAGE-----\n\nhQEM\n'],
];

describe('a file sink', () => {
  it.each(ENCRYPTED)('never writes a secret into a file that a program encrypted: %s', async (_title, target, text) => {
    const { folder, close } = await scratch();
    const file = join(folder, target.file);
    await openIn(target, folder).write(FIRST, METADATA);
    await writeFile(file, text);
    const sink = openIn(target, folder, { adopt: true });
    const calls = [
      () => sink.probe(),
      () => sink.compare(FIRST),
      () => sink.write(SECOND, METADATA),
      () => sink.read(),
      () => sink.remove(),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        code: 'sink.unreadable',
        message: expect.stringContaining('it is encrypted'),
        hint: expect.stringContaining('encrypt'),
      });
    }
    expect(await readFile(file, 'utf8')).toBe(text);
    await close();
  });

  it.each(CASES)('is readable by its owner only: $title', async ({ target }) => {
    const { folder, close } = await scratch();
    const file = join(folder, target.file);
    await openIn(target, folder).write(FIRST, METADATA);
    await rm(join(folder, '.keyplane'), { recursive: true });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await close();
  });

  it('shows that others can read it, and only then', async () => {
    const { folder, close } = await scratch();
    const sink = openIn({ file: 'app/.env', format: 'dotenv', as: 'KEY' }, folder);
    await sink.write(FIRST, METADATA);
    expect(await sink.exposure?.()).toBeUndefined();
    await chmod(join(folder, 'app/.env'), 0o640);
    expect(await sink.exposure?.()).toBe(
      'other users of this machine can read it, because its file system does not keep permissions',
    );
    await close();
  });

  it('takes over the mode of a file that others could read', async () => {
    const { folder, close } = await scratch();
    const file = join(folder, '.env');
    await writeFile(file, 'KEY=\n', { mode: 0o644 });
    await openIn({ file: '.env', format: 'dotenv', as: 'KEY' }, folder).write(SECOND, METADATA);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await close();
  });
});
