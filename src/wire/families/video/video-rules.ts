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

/** The root of a request, as far as it can hold what belongs elsewhere. */
type Root = Readonly<Record<string, unknown>>;

/** Finds fields of the provider at the root of a request, where no gateway looks for them. */
export const onlyInMetadata = (fields: readonly string[]): Rule<Root> => ({
  field: 'metadata',
  limit: `must have these fields, not the root: ${fields.map((field) => `\`${field}\``).join(', ')}`,
  check: (body) =>
    fields
      .filter((field) => body[field] !== undefined)
      .map((field) => ({ path: field, message: `must not be sent: it belongs into metadata.${field}` })),
});

/** The fields of family epsilon's provider. Other asset-style families have some of them. */
export const EPSILON_FIELDS = [
  'content',
  'resolution',
  'ratio',
  'duration',
  'generate_audio',
  'watermark',
  'return_last_frame',
  'callback_url',
  'execution_expires_after',
  'priority',
  'service_tier',
  'safety_identifier',
  'tools',
] as const;

export const DELTA_FIELDS = ['content', 'resolution', 'ratio', 'duration', 'callback_url'] as const;

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

/** Contract: “keep consistent”. A prompt and a text are, if one contains the other. */
function differs({ prompt, metadata: { content } }: ContentBody & { readonly prompt: string }): string | undefined {
  const texts = content.flatMap((item) => (item.type === 'text' ? [plain(item.text)] : []));
  const asked = plain(prompt);
  const isConsistent = texts.length === 0 || texts.some((text) => text.includes(asked) || asked.includes(text));
  return isConsistent ? undefined : 'differs from the text in metadata.content: one must contain the other';
}

export const PROMPT_RULE: Rule<ContentBody & { readonly prompt: string }> = {
  field: 'prompt',
  limit: 'contains a text of `metadata.content`, or is part of it',
  check: differs,
};

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
