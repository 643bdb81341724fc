import { describe, expect, it } from 'vitest';
import { videoItems, videoMode } from '../../../src/wire/index.ts';
import { audio, clip, content, first, image, last, picture, sound, video } from './content-rows.ts';

type Body = Parameters<typeof videoItems>[0];
const bodyOf = (...files: readonly object[]): Body =>
  ({ metadata: { content: content(...files)['metadata.content'] } }) as unknown as Body;
const rolesOf = (...files: readonly object[]) => videoItems(bodyOf(...files)).map(({ role }) => role);

describe('the files of a request for a video', () => {
  it('are given in their order, with kind, role and place', () => {
    expect(videoItems(bodyOf(clip, sound))).toEqual([
      {
        kind: 'video',
        role: 'reference_video',
        hasRole: true,
        at: 'metadata.content[1]',
        path: 'metadata.content[1].video_url.url',
        source: 'https://example.com/a',
      },
      {
        kind: 'audio',
        role: 'reference_audio',
        hasRole: true,
        at: 'metadata.content[2]',
        path: 'metadata.content[2].audio_url.url',
        source: 'https://example.com/a',
      },
    ]);
    expect(videoItems(bodyOf())).toEqual([]);
  });

  it('have the role first_frame where a single image has none', () => {
    expect(videoItems(bodyOf(image()))).toMatchObject([{ role: 'first_frame', hasRole: false }]);
  });

  it('are references where several have no role', () => {
    expect(rolesOf(image(), image())).toEqual(['reference_image', 'reference_image']);
    expect(rolesOf(image(), video(), audio())).toEqual(['reference_image', 'reference_video', 'reference_audio']);
    expect(rolesOf(video())).toEqual(['reference_video']);
  });
});

it.each([
  ['text', []],
  ['first-frame', [first]],
  ['first-frame', [image()]],
  ['last-frame', [last]],
  ['first-and-last-frames', [last, first]],
  ['reference', [picture]],
  ['reference', [sound, clip]],
])('A video is made from %s', (mode, files) => {
  expect(videoMode(bodyOf(...files))).toBe(mode);
});
