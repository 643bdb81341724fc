import * as z from 'zod';
import type { MediaItem } from '../../media-limits.ts';

type Text = z.ZodType<string, string>;

/** The texts that items of `metadata.content` may contain: words, and names of files. */
interface ContentForms {
  readonly text: Text;
  readonly image: Text;
  readonly video: Text;
  readonly audio: Text;
}

/** `metadata.content` of families delta and epsilon. */
export const videoContent = ({ text, image, video, audio }: ContentForms) =>
  z
    .array(
      z.discriminatedUnion('type', [
        z.looseObject({ type: z.literal('text'), text }),
        z.looseObject({
          type: z.literal('image_url'),
          image_url: z.looseObject({ url: image }),
          role: z.enum(['first_frame', 'last_frame', 'reference_image']).optional(),
        }),
        z.looseObject({
          type: z.literal('video_url'),
          video_url: z.looseObject({ url: video }),
          role: z.enum(['reference_video']).optional(),
        }),
        z.looseObject({
          type: z.literal('audio_url'),
          audio_url: z.looseObject({ url: audio }),
          role: z.enum(['reference_audio']).optional(),
        }),
      ]),
    )
    .min(1);

/** A request that has such content. */
export interface ContentBody {
  readonly metadata: { readonly content: z.input<ReturnType<typeof videoContent>> };
}

type ContentItem = ContentBody['metadata']['content'][number];
type VideoRole = NonNullable<Exclude<ContentItem, { type: 'text' }>['role']>;

/** A file in the content of a request for a video. */
interface VideoItem extends MediaItem {
  readonly kind: 'image' | 'video' | 'audio';
  /** The role as given, or the role that an item without one has. */
  readonly role: VideoRole;
  /** Does the item name its role? */
  readonly hasRole: boolean;
  /** The position of the item; `path` is that of its URL. */
  readonly at: string;
}

/** A single file that is an image is the first frame; with others, every file is a reference. */
const untoldRole = (kind: VideoItem['kind'], files: number): VideoRole =>
  kind === 'image' && files === 1 ? 'first_frame' : `reference_${kind}`;

function fileOf(item: ContentItem): Pick<VideoItem, 'kind' | 'source'> | undefined {
  if (item.type === 'image_url') return { kind: 'image', source: item.image_url.url };
  if (item.type === 'video_url') return { kind: 'video', source: item.video_url.url };
  if (item.type === 'audio_url') return { kind: 'audio', source: item.audio_url.url };
  return undefined;
}

/** Every file in the content, in its order. */
export function videoItems({ metadata: { content } }: ContentBody): readonly VideoItem[] {
  const files = content.filter(({ type }) => type !== 'text').length;
  return content.flatMap((item, index) => {
    const file = fileOf(item);
    if (file === undefined || item.type === 'text') return [];
    const at = `metadata.content[${index}]`;
    const role = item.role ?? untoldRole(file.kind, files);
    return [{ ...file, role, hasRole: item.role !== undefined, at, path: `${at}.${item.type}.url` }];
  });
}

export const isFrame = ({ role }: VideoItem): boolean => role === 'first_frame' || role === 'last_frame';

type VideoMode = 'text' | 'first-frame' | 'last-frame' | 'first-and-last-frames' | 'reference';

/** Returns the input mode of a video, by the files of its request. Contract: “Input modes”. */
export function videoMode(body: ContentBody): VideoMode {
  const roles = new Set(videoItems(body).map(({ role }) => role));
  if (roles.size === 0) return 'text';
  if (roles.has('first_frame')) return roles.has('last_frame') ? 'first-and-last-frames' : 'first-frame';
  return roles.has('last_frame') ? 'last-frame' : 'reference';
}
