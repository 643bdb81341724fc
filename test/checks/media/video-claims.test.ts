import { describe, expect, test } from 'vitest';
import { claimVideo } from '../../../src/checks/media/video-claims.ts';
import { openRecorder } from '../../../src/checks/run/check-recorder.ts';
import { renderVideo } from '../../../src/synthetic/index.ts';

/** Returns whether a video with frames of a size such as `1280x720` is found to have a resolution. */
async function isAsLarge(size: string, resolution: string): Promise<boolean> {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const bytes = await renderVideo({ text: 'a', seed: 1, width, height, seconds: 1, audio: false, watermark: false });
  const { recorder, record } = openRecorder('video', String);
  await claimVideo(recorder, bytes, { requested: { resolution, returnsLastFrame: false }, expect: {} });
  const finding = record.findings.find(({ claim }) => claim === `its frames have the resolution ${resolution}`);
  expect(finding?.found).toBe(`${width} × ${height}`);
  return finding?.holds === true;
}

describe('the frames of a video have the requested resolution', () => {
  test.each([
    ['480p', '854x480'],
    ['720p', '1680x720'],
    ['1080p', '1080x1080'],
    ['768P', '1024x768'],
    ['2K', '2048x1152'],
  ])('%s: with its short edge, %s', async (resolution, size) => {
    expect(await isAsLarge(size, resolution)).toBe(true);
  });

  test.each([
    ['480p', '736x544'],
    ['480p', '640x640'],
    ['480p', '960x416'],
    ['720p', '834x1112'],
    ['720p', '960x960'],
    ['1080p', '1664x1248'],
    ['1080p', '1440x1440'],
    ['768P', '1024x1024'],
  ])('%s: with as many pixels as a video of 16:9 has, %s', async (resolution, size) => {
    expect(await isAsLarge(size, resolution)).toBe(true);
  });

  test.each([
    ['480p', '1280x720'],
    ['480p', '960x960'],
    ['480p', '1440x608'],
    ['720p', '640x640'],
    ['720p', '1120x480'],
    ['720p', '1440x1440'],
    ['1080p', '960x960'],
    ['1080p', '1680x720'],
    ['1080p', '1280x720'],
    ['768P', '1920x1080'],
    ['2K', '1366x768'],
  ])('%s: not with those of another, %s', async (resolution, size) => {
    expect(await isAsLarge(size, resolution)).toBe(false);
  });
});
