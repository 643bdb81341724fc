import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { armor, Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { describe, expect, it } from 'vitest';
import { describeSink, FIRST, METADATA, type SinkBody } from '../contract/sink-suite.ts';
import { hasProgram } from './programs.ts';
import { openIn, scratch } from './scratch.ts';

async function decrypt(text: string, identity: string): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return await decrypter.decrypt(armor.decode(text), 'text');
}

async function start(): Promise<
  SinkBody & { readonly folder: string; readonly identity: string; readonly file: string }
> {
  const { folder, close } = await scratch();
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const target = { file: 'secrets/key.age', encrypt: [recipient] };
  const file = join(folder, target.file);
  return {
    folder,
    identity,
    file,
    open: (options) => openIn(target, folder, options),
    readByOthers: async () => {
      if (!existsSync(file)) return undefined;
      const text = await readFile(file, 'utf8');
      return text.startsWith('-----BEGIN AGE') ? await decrypt(text, identity) : text;
    },
    async writeByOthers(value) {
      const sink = openIn(target, folder);
      const isNew = !existsSync(file);
      if (isNew) await sink.write(FIRST, METADATA);
      if (isNew) await openIn({ file: `${target.file}.keyplane`, format: 'raw' }, folder).remove();
      await writeFile(file, value);
    },
    readPublic: async () => `${await readFile(file, 'utf8')}${await readFile(`${file}.keyplane`, 'utf8')}`,
    writes: async () => (existsSync(file) ? Number((await stat(file, { bigint: true })).mtimeNs) : 0),
    close,
  };
}

describeSink({ title: 'age file', start, isReadable: false, seesOverwrites: true, knowsOwner: true });

describe('an age file', () => {
  it('is encrypted again when its recipients change', async () => {
    const { folder, identity, file, close } = await start();
    const other = await generateX25519Identity();
    const [mine, theirs] = [await identityToRecipient(identity), await identityToRecipient(other)];
    await openIn({ file: 'secrets/key.age', encrypt: [mine] }, folder).write(FIRST, METADATA);
    const both = openIn({ file: 'secrets/key.age', encrypt: [theirs, mine] }, folder);
    expect(await both.compare(FIRST)).toBe('other');
    await both.write(FIRST, METADATA);
    expect(await openIn({ file: 'secrets/key.age', encrypt: [mine, theirs] }, folder).compare(FIRST)).toBe('current');
    const text = await readFile(file, 'utf8');
    expect([await decrypt(text, identity), await decrypt(text, other)]).toEqual([FIRST.reveal(), FIRST.reveal()]);
    await close();
  });

  it('is written again after a crash between its line and its text', async () => {
    const body = await start();
    await body.open().write(FIRST, METADATA);
    const line = await readFile(`${body.file}.keyplane`, 'utf8');
    await writeFile(
      `${body.file}.keyplane`,
      line.replace(/"digest":"[^"]*"/, '"digest":"of-a-text-that-never-arrived"'),
    );
    expect([await body.open().compare(FIRST), await body.open().probe()]).toEqual(['other', 'ours']);
    await body.close();
  });

  it('is opened by the program age', async (context) => {
    if (!hasProgram('age')) context.skip('age is not installed');
    const { folder, identity, file, open, close } = await start();
    await open().write(FIRST, METADATA);
    await writeFile(join(folder, 'identity.txt'), identity);
    const opened = spawnSync('age', ['--decrypt', '--identity', join(folder, 'identity.txt'), file], {
      encoding: 'utf8',
    });
    expect(opened.stdout).toBe(FIRST.reveal());
    await close();
  });
});
