import { html, type Markup } from './markup.ts';

interface Sheet {
  /** The name of the region for screen readers. */
  readonly label: string;
  readonly caption: string | Markup;
  readonly head: Markup;
  readonly lines: readonly Markup[];
  /** For the style sheet. */
  readonly look?: string;
}

/** A table that scrolls within itself, so that the page never does sideways. The keyboard reaches and moves it. */
export const renderSheet = ({ label, caption, head, lines, look = 'plain' }: Sheet): Markup =>
  html`<div class="scroll ${look}" role="region" aria-label="${label}" tabindex="0"><table>
<caption><span>${caption}</span></caption>
<thead>${head}</thead>
<tbody>
${lines}</tbody></table></div>`;
