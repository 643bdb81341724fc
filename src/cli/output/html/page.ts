import { html, type Markup, trusted } from './markup.ts';
import { STYLE } from './style.ts';

/** Nothing is loaded from anywhere, and nothing runs: whatever got into the page stays text. */
const POLICY =
  "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A page that stands for itself: one file, no network, no script. */
export function renderPage(title: string, content: Markup): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${trusted(POLICY)}">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
  return page.markup;
}
