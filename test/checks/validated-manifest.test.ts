import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateCheck } from '../../src/checks/index.ts';
import { CHECK_MODULES } from '../../src/domain/index.ts';
import { readManifest } from '../../src/manifest/index.ts';

let cwd: string;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'keyplane-judged-'));
  writeFileSync(join(cwd, 'notes.txt'), 'no image');
  await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toFile(join(cwd, 'small.png'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** The diagnostics of one definition: the text that each points at, and the message. */
async function issuesOf(
  definition: string,
  env: Record<string, string> = {},
  more = '',
): Promise<readonly (readonly string[])[]> {
  const line = `  mine: ${definition}`;
  writeFileSync(join(cwd, 'keyplane.yaml'), `version: 1\nchecks:\n${line}\n${more}\n`);
  const { diagnostics } = await readManifest(['keyplane.yaml'], {
    env,
    variables: Object.keys(env),
    cwd,
    now: 1_800_000_000,
    validateCheck,
  });
  return diagnostics.map(({ place, message }) => [
    line.slice((place?.column ?? 0) - 1, (place?.endColumn ?? 0) - 1),
    message,
  ]);
}

describe('A check in a manifest, held against the limits offline', () => {
  it.each([
    ['{ module: image, model: alpha-image-2, size: 100x100 }', '100x100', 'size'],
    ['{ module: image, model: gamma-image-2.0, parameters: { n: 99 } }', '99', 'parameters.n'],
    ['{ module: chat, model: alpha-chat-1, max_tokens: -5 }', '-5', 'max_tokens'],
    ['{ module: chat, model: alpha-chat-1, messages: [{ role: boss, content: x }] }', 'boss', 'messages[0].role'],
    ['{ module: embeddings, model: text-embedding-3-small, dimensions: 9999 }', '9999', 'dimensions'],
    ['{ module: video, model: delta-H3, metadata: { duration: 999 } }', '999', 'metadata.duration'],
    ['{ module: chat, model: alpha-chat-1, expect: { width: 5 } }', '5', 'expect.width'],
    ['{ module: image, model: alpha-image-2, expect: { contains: x } }', 'x', 'expect.contains'],
    ['{ module: chat, messages: hello }', 'hello', 'messages'],
    ['{ module: responses, input: 5 }', '5', 'input'],
    [
      '{ module: chat, model: alpha-chat-1, expect: { jsonSchema: { type: strng } } }',
      '{ type: strng }',
      'expect.jsonSchema',
    ],
    ['{ module: image, model: alpha-chat-1 }', 'alpha-chat-1', 'model'],
    ['{ module: video, model: delta-H3, resolution: 2K }', '2K', 'resolution'],
    ...['chat', 'responses'].map((module) => [`{ module: ${module}, model: a, stream: true }`, 'true', 'stream']),
    ...['image', 'image-edit'].map((module) => [
      `{ module: ${module}, model: alpha-image-2, stream: true }`,
      'true',
      'stream',
    ]),
    ['{ module: chat-stream, model: alpha-chat-1, stream: false }', 'false', 'stream'],
    ['{ module: image-edit-stream, model: alpha-image-2, stream: false }', 'false', 'stream'],
    [
      '{ module: video, model: delta-H3, prompt: a fox, metadata: { content: [{ type: text, text: a hen }] } }',
      'a fox',
      'prompt',
    ],
    ['{ module: video, model: film-1, family: no-such-family }', 'no-such-family', 'family'],
    ['{ module: disabled-key, max_tokens: 5 }', '5', 'max_tokens'],
  ])('%s is wrong at %j', async (definition, at, field) => {
    const [first, ...others] = await issuesOf(definition);
    expect([first?.[0], others]).toEqual([at, []]);
    expect(first?.[1]).toContain(`\`${field}\``);
  });

  it('switches the processing of media on where the content of a video has some', async () => {
    const video = (content: string) =>
      issuesOf(`{ module: video, model: epsilon-video-2-0-260128, metadata: { content: [${content}] } }`);
    const image = '{ type: image_url, image_url: { url: "https://example.com/a.png" }, role: first_frame }';
    expect(await video(image)).toEqual([]);
    expect(await video(`{ type: text, text: a fox }, ${image}`)).toEqual([]);
    expect(await video('{ type: text, text: a fox }')).toEqual([]);
  });

  it('holds a check without a model against those that keys are allowed', async () => {
    const keys = (models: string) => `keys: { app: { models: [${models}], checks: [mine] } }`;
    const size = '{ module: image, size: 1x1 }';
    expect((await issuesOf(size, {}, keys('alpha-image-2'))).map(([at]) => at)).toEqual(['1x1']);
    expect(await issuesOf('{ module: image, size: 1024x1024 }', {}, keys('alpha-image-2'))).toEqual([]);
    // One of the models takes it: which key asks is not known here.
    expect(await issuesOf('{ module: image, n: 10 }', {}, keys('beta-imagine-image, alpha-image-2'))).toEqual([]);
    expect(await issuesOf(size, {}, keys('alpha-chat-1'))).toEqual([]);
  });

  it('reports all issues together', async () => {
    const issues = await issuesOf('{ module: image, model: alpha-image-2, size: 1x1, expect: { seconds: 1 } }');
    expect(issues.map(([at]) => at)).toEqual(['1x1', '1']);
  });

  it('reads the files that a request names, from the folder of the manifest', async () => {
    const edit = (image: string) => issuesOf(`{ module: image-edit, model: alpha-image-2, image: ${image} }`);
    expect(await edit('small.png')).toEqual([]);
    expect((await edit('[small.png, small.png]')).length).toBe(0);
    expect((await edit('nowhere.png')).map(([at]) => at)).toEqual(['nowhere.png']);
    expect((await edit('notes.txt')).map(([at]) => at)).toEqual(['notes.txt']);
  });

  it.each([
    ['../secret.png', 'it is outside the folder of the manifest'],
    ['/etc/hostname', 'it is outside the folder of the manifest'],
    ['link.png', 'a link leads out of the folder of the manifest'],
    ['.hidden/id_rsa', 'hidden files may hold credentials'],
  ])('refuses to send a file of the machine that runs it: %s', async (path, reason) => {
    rmSync(join(cwd, 'link.png'), { force: true });
    symlinkSync('/etc/hostname', join(cwd, 'link.png'));
    mkdirSync(join(cwd, '.hidden'), { recursive: true });
    writeFileSync(join(cwd, '.hidden', 'id_rsa'), 'x');
    const definition = `{ module: image-edit, model: alpha-image-2, image: "${path}" }`;
    expect(await issuesOf(definition)).toEqual([[`"${path}"`, expect.stringContaining(reason)]]);
  });

  it('does not show what came from the environment', async () => {
    const issues = await issuesOf('{ module: image, model: alpha-image-2, size: "${env:SIZE}" }', { SIZE: '17x34' });
    expect(issues.map(([at]) => at)).toEqual(['"${env:SIZE}"']);
    expect(JSON.stringify(issues)).not.toContain('17x34');
  });

  it.each([
    ['chat', 'alpha-chat-1'],
    ['chat-stream', 'alpha-chat-1'],
    ['responses', 'alpha-chat-1'],
    ['responses-stream', 'alpha-chat-1'],
    ['embeddings', 'text-embedding-3-large'],
    ['embeddings-native', 'eta-embedding-001'],
    ['embeddings-batch', 'eta-embedding-001'],
    ['count-tokens', 'alpha-chat-1'],
    ['image', 'alpha-image-2'],
    ['image', 'beta-imagine-image-2.0'],
    ['image', 'gamma-image-2.0'],
    ['image-edit', 'alpha-image-2'],
    ['image-edit', 'beta-imagine-image-2.0'],
    ['image-edit', 'gamma-image-edit-plus'],
    ['image-edit-stream', 'alpha-image-2'],
    ['image-stream', 'alpha-image-2'],
    ['image-stream', 'eta-2.5-flash-image'],
    ['video', 'epsilon-video-2-0-260128'],
    ['video', 'delta-H3'],
  ])('keeps the limits with a module and a model alone: %s, %s', async (module, model) => {
    expect(await issuesOf(`{ module: ${module}, model: ${model} }`)).toEqual([]);
  });

  it.each(Object.values(CHECK_MODULES).flat())(
    'keeps the limits without anything but the module: %s',
    async (module) => {
      expect(await issuesOf(`{ module: ${module} }`)).toEqual([]);
    },
  );
});
