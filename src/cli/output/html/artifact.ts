import type { Artifact, MediaFacts } from '../../../domain/index.ts';
import { html, type Markup } from './markup.ts';
import type { Thumbnail } from './thumbnails.ts';

const kilobytes = (bytes: number): string => (bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} kB`);

function factsOf(facts: MediaFacts | undefined): readonly string[] {
  if (facts === undefined) return [];
  const { format, width, height, seconds, fps, videoCodec, audioCodec } = facts;
  return [
    format.toUpperCase(),
    ...(width !== undefined && height !== undefined ? [`${width} × ${height}`] : []),
    ...(seconds === undefined ? [] : [`${seconds.toFixed(1)} s`]),
    ...(fps === undefined ? [] : [`${Math.round(fps * 100) / 100} fps`]),
    ...(videoCodec ? [videoCodec] : []),
    ...(audioCodec ? [audioCodec] : []),
  ];
}

function shown(thumbnail: Thumbnail | undefined, title: string): Markup {
  if (thumbnail?.kind === 'image') return html`<img src="${thumbnail.dataUri}" alt="${title}">`;
  if (thumbnail?.kind === 'video') {
    return html`<video src="${thumbnail.dataUri}" controls preload="metadata" aria-label="${title}"></video>`;
  }
  const why = thumbnail?.kind === 'none' ? thumbnail.why : 'it is not included in this page';
  return html`<p class="faint">Not shown: ${why}.</p>`;
}

/** A picture or a video that an answer brought, with what it is. */
export function renderArtifact({ title, bytes, facts }: Artifact, thumbnail: Thumbnail | undefined): Markup {
  const caption = [title, ...factsOf(facts), kilobytes(bytes.length)].join(' · ');
  return html`<figure>${shown(thumbnail, title)}<figcaption>${caption}</figcaption></figure>`;
}
