import type { Rule } from '../../family.ts';
import type { BrokenLimit } from '../../request-diagnostic.ts';
import { type ContentBody, isFrame, videoItems } from './video-content.ts';

const CONTENT = 'metadata.content';

/** Limits the number of files of one role in a request. */
const MOST = {
  first_frame: 1,
  last_frame: 1,
  reference_image: 9,
  reference_video: 3,
  reference_audio: 3,
} as const;

type Role = keyof typeof MOST;

function tooMany(body: ContentBody): readonly BrokenLimit[] {
  const items = videoItems(body);
  return (Object.keys(MOST) as Role[]).flatMap((role) => {
    const count = items.filter((item) => item.role === role).length;
    const message = `may have at most ${MOST[role]} of ${role}, and has ${count}`;
    return count > MOST[role] ? [{ path: CONTENT, message }] : [];
  });
}

function mixes(body: ContentBody): readonly BrokenLimit[] {
  const items = videoItems(body);
  const frames = items.filter(isFrame);
  if (frames.length === 0 || frames.length === items.length) return [];
  return [
    { path: CONTENT, message: 'mixes frames with references: either first_frame and last_frame, or reference_*' },
  ];
}

/** The limits on files that families delta and epsilon have in common. */
export const CONTENT_RULES: readonly Rule<ContentBody>[] = [
  {
    field: 'metadata.content[].role',
    limit: '`first_frame` and `last_frame` never with `reference_*`',
    check: mixes,
  },
  {
    field: CONTENT,
    limit: `at most ${Object.entries(MOST)
      .map(([role, most]) => `${most} \`${role}\``)
      .join(', ')}`,
    check: tooMany,
  },
];
