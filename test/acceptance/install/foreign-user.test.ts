import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ReferenceGateway, startReferenceGateway } from '../../../src/reference/index.ts';
import { type Installation, installAlone } from './installation.ts';

/** No user of this machine has it, so it has no name and no home, as in containers with arbitrary user IDs. */
const UID = 1_234_567;

const SEED = {
  accounts: [{ userId: 42, accessToken: 'rehearsal-only', quota: 50_000_000 }],
  groups: { default: {} },
};

describe.runIf(process.getuid?.() === 0)('a user who has an ID and nothing else', () => {
  let installation: Installation;
  let gateway: ReferenceGateway;
  let temporary: string;
  beforeAll(async () => {
    installation = await installAlone();
    await chmod(installation.folder, 0o755);
  });
  afterAll(() => installation.remove());
  beforeEach(async () => {
    gateway = await startReferenceGateway({ seed: SEED });
    temporary = await mkdtemp(join(tmpdir(), 'keyplane-shared-'));
    await chmod(temporary, 0o1777);
    const manifest = `version: 1\ngateway: { url: ${gateway.url}, userId: 42 }\nkeys: { one: { budget: { usd: 1 } } }\n`;
    await installation.write('keyplane.yaml', manifest);
    await chmod(join(installation.folder, 'keyplane.yaml'), 0o644);
    return async () => {
      await gateway.close();
      await rm(temporary, { recursive: true });
    };
  });

  const run = (...words: readonly string[]) =>
    installation.keyplane(words, {
      uid: UID,
      env: {
        ...{ HOME: undefined, TMPDIR: temporary },
        ...{ KEYPLANE_ACCESS_TOKEN: 'rehearsal-only', KEYPLANE_URL: gateway.url },
      },
    });

  it('sees which folder cannot be written, and how to name another', async () => {
    await chmod(temporary, 0o755);
    for (const words of [
      ['apply', '--yes', '--lock', 'file'],
      ['apply', '--yes', '--lock', 'gateway'],
    ]) {
      const { code, stdout, stderr } = await run(...words);
      expect({ code, text: `${stdout} ${stderr}`.replace(/\s+/g, ' ') }).toEqual({
        code: 1,
        text: expect.stringContaining(`${state()} cannot be written: permission denied.`),
      });
      expect(`${stdout} ${stderr}`.replace(/\s+/g, ' ')).toContain(
        'Set XDG_STATE_HOME to a folder that you may write to.',
      );
    }
    expect((await run('keys', 'list')).stdout).not.toContain('one');
  });

  const state = (): string => join(temporary, `keyplane-${UID}`);

  it('applies, with either lock, and keeps state in a folder of its own', async () => {
    const applied = await run('apply', '--yes', '--lock', 'file');
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('one') });
    const { uid, mode } = await stat(state());
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: UID, mode: 0o700 });
    expect((await run('drift')).code).toBe(0);
    expect((await run('destroy', '--yes', '--lock', 'gateway')).stderr).not.toContain('error');
  });

  it.each([
    ['another user made the folder', () => mkdir(state(), { mode: 0o777 }).then(() => chmod(state(), 0o777))],
    [
      'it is a link to a folder of somebody’s choice',
      async () => {
        const target = join(temporary, 'target');
        await mkdir(target);
        await chmod(target, 0o777);
        await symlink(target, state());
      },
    ],
  ])('writes nothing where %s', async (_title, prepare) => {
    await prepare();
    const { code, stderr } = await run('apply', '--yes', '--lock', 'file');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('file.unwritable') });
    expect(stderr.replace(/\s+/g, ' ')).toContain('belongs to another user, or others may write to it');
    expect(stderr.replace(/\s+/g, ' ')).toContain('XDG_STATE_HOME');
    expect(await readdir(state())).toEqual([]);
    expect((await run('keys', 'list')).stdout).not.toContain('one');
  });
});
