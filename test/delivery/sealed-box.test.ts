import { spawnSync } from 'node:child_process';
import sodium from 'libsodium-wrappers';
import { describe, expect, it } from 'vitest';
import { sealSecret } from '../../src/delivery/remote/sealed-box.ts';
import { FIRST } from '../contract/sink-suite.ts';

const PROGRAM = `import sys, base64
from nacl.public import PrivateKey, SealedBox
box = SealedBox(PrivateKey(base64.b64decode(sys.argv[1])))
sys.stdout.write(box.decrypt(base64.b64decode(sys.argv[2])).decode())`;

/** The Python of the system has the package of the distribution, whatever else is installed. */
const PYTHONS = ['python3', '/usr/bin/python3'];

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

describe('a sealed box', () => {
  it('is opened by PyNaCl', async (context) => {
    const python = PYTHONS.find((name) => spawnSync(name, ['-c', 'import nacl']).status === 0);
    if (python === undefined) return context.skip('PyNaCl is not installed');
    await sodium.ready;
    const { publicKey, privateKey } = sodium.crypto_box_keypair();
    const sealed = await sealSecret(FIRST, base64(publicKey));
    const opened = spawnSync(python, ['-c', PROGRAM, base64(privateKey), sealed], { encoding: 'utf8' });
    expect([opened.stderr, opened.stdout]).toEqual(['', FIRST.reveal()]);
  });

  it('is not made for a key of another length', async () => {
    await expect(sealSecret(FIRST, base64(new Uint8Array(16)))).rejects.toMatchObject({
      code: 'sink.unexpected-answer',
    });
  });
});
