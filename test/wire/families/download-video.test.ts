import { DOWNLOAD_VIDEO } from '../../../src/wire/index.ts';
import { every } from './row-cases.ts';
import { describeRows } from './rows.ts';

const row = {
  family: DOWNLOAD_VIDEO,
  base: { model: 'some-video', prompt: 'a red cube', seconds: '8', size: '1280x720' },
};

describeRows('Video, download-required family', [
  {
    title: 'root `model`, `prompt`',
    ...row,
    accepts: [{ prompt: 'x' }],
    refuses: [
      ...every([undefined, '', 7], (model) => [{ model }, 'model'] as const),
      ...every([undefined, '', 7], (prompt) => [{ prompt }, 'prompt'] as const),
    ],
  },
  {
    title: '`seconds` (string)',
    ...row,
    accepts: every(['4', '12', '120'], (seconds) => ({ seconds })),
    refuses: every([undefined, 8, '', '0', '8s', '4.5', '-4', 'eight'], (seconds) => [{ seconds }, 'seconds'] as const),
  },
  {
    title: '`size` (string, `<width>x<height>`)',
    ...row,
    accepts: every(['1280x720', '720x1280', '1x1'], (size) => ({ size })),
    refuses: every([undefined, '1280*720', '720p', 'auto', '', '0x720', 1280], (size) => [{ size }, 'size'] as const),
  },
]);
