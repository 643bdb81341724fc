/** Colours have a contrast of at least 4.5:1 on each of their backgrounds, in light and in dark. */
const COLOURS = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f7f9; --line: #d9dde3; --text: #1c2230; --faint: #5b6475; --link: #0b57c2;
  --good: #14692c; --good-ground: #e6f5ea; --bad: #a8141c; --bad-ground: #fde7e7;
  --change: #7a4b00; --change-ground: #fdf1d6; --bar: #4d7fd1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171d; --raised: #1c2028; --line: #333a46; --text: #e6e9ef; --faint: #a3acbb; --link: #8ab8ff;
    --good: #7fdc98; --good-ground: #142b1c; --bad: #ff9ba0; --bad-ground: #3f191c;
    --change: #f3c66b; --change-ground: #36290e; --bar: #6e9be8;
  }
}
`;

const TEXT = `
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.75rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .3rem; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .15rem 0; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
pre { font: 12px/1.45 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
.faint { color: var(--faint); }
.wrap { overflow-wrap: anywhere; }
.unseen, .terse .word { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.banner { border-left: 4px solid; border-radius: 4px; padding: .6rem .9rem; margin: 1rem 0; overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; gap: .4rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.figures li { border-radius: 99px; padding: .15rem .75rem; }
.figures .none { color: var(--faint); background: var(--raised); } .figures .sign { min-width: 0; }
.figures b { font-variant-numeric: tabular-nums; }
.passed { color: var(--good); background: var(--good-ground); }
.failed { color: var(--bad); background: var(--bad-ground); }
.flaky, .unprovable { color: var(--change); background: var(--change-ground); }
.skipped { color: var(--faint); }
.sign { display: inline-block; min-width: 1.15em; font-weight: 700; }
.badge { border-radius: 4px; padding: .05rem .45rem; white-space: nowrap; }
.holds { color: var(--good); } .broken { color: var(--bad); }
`;

const TABLES = `
.scroll { position: relative; overflow: auto; border: 1px solid var(--line); border-radius: 8px; }
.scroll + .columns { margin-top: .75rem; }
table { border-collapse: separate; border-spacing: 0; min-width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .5rem .75rem; color: var(--faint); font-size: .9em; }
caption span { display: block; position: sticky; left: .75rem; max-width: calc(100vw - 4rem); }
th, td { padding: .35rem .75rem; border-top: 1px solid var(--line); text-align: left; vertical-align: middle; }
td.wrap, tbody th { vertical-align: top; }
thead th { background: var(--raised); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 500; background: var(--ground); }
th > .name { display: block; width: max-content; max-width: 20rem; white-space: normal; overflow-wrap: anywhere; }
.number, thead th.number { text-align: right; white-space: nowrap; }
td.drawing, th.drawing { width: 55%; min-width: 12rem; padding-left: 1.5rem; padding-right: 1.5rem; }
td.verb { white-space: nowrap; vertical-align: top; }
.columns td.drawing, .columns th.drawing { min-width: 3rem; padding-left: .75rem; padding-right: .75rem; }
.matrix { max-height: max(24rem, 80vh); }
.matrix thead th { position: sticky; top: 0; z-index: 2; vertical-align: bottom; }
.matrix thead .name { max-width: 11rem; }
.matrix tbody th, .matrix thead th:first-child { position: sticky; left: 0; z-index: 1; border-right: 1px solid var(--line); }
.matrix thead th:first-child { z-index: 3; }
.matrix td { padding: 0; border-left: 1px solid var(--ground); height: 1px; }
.matrix td a { display: flex; align-items: center; column-gap: .15rem; height: 100%; padding: .35rem .75rem; text-decoration: none; white-space: nowrap; }
.matrix td a:hover { text-decoration: underline; }
.matrix td a:focus-visible { outline-offset: -2px; }
.matrix small { font-size: .85em; margin-left: auto; padding-left: .5rem; font-variant-numeric: tabular-nums; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: .75rem; align-items: start; }
.columns > * { min-width: 0; } .columns > .scroll { margin: 0; }
svg.axis, svg.track { display: block; width: 100%; height: 1.4rem; overflow: visible; }
svg.axis text { fill: var(--faint); font-size: 12px; font-weight: 400; text-anchor: middle; }
svg.track .tick { stroke: var(--line); } svg.track .range { stroke: var(--bar); stroke-width: 3; stroke-linecap: round; opacity: .5; }
svg.track .first { fill: var(--ground); stroke: var(--bar); stroke-width: 1.5; } svg.track .middle { fill: var(--bar); }
svg.bar { display: block; width: 100%; height: .75rem; } svg.bar rect { fill: var(--bar); }
svg.spark { width: 9rem; height: 1.6rem; vertical-align: middle; }
svg.spark polyline { fill: none; stroke: var(--bar); stroke-width: 1.5; }
`;

const DETAILS = `
.filter { border: 0; margin: 0 0 .75rem; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; }
.filter legend { float: left; padding: 0; color: var(--faint); }
.filter input { margin: 0 .4rem 0 0; vertical-align: -1px; accent-color: var(--link); }
.details:has(.unpassed:checked) .is-passed:not(:has(:target)) { display: none; }
.details:has(.unpassed:checked) .key:not(:has(details:not(.is-passed), :target)) { display: none; }
.key { margin: 1.25rem 0 0; }
details { border: 1px solid var(--line); border-radius: 8px; margin: .4rem 0; }
details.is-failed { border-left: 3px solid var(--bad); } details.is-passed { border-left: 3px solid var(--good); }
details.is-flaky, details.is-unprovable { border-left: 3px solid var(--change); } details.is-skipped { border-left: 3px solid var(--line); }
details:has(> :target) { box-shadow: 0 0 0 2px var(--link); }
summary { cursor: pointer; padding: .45rem .75rem; overflow-wrap: anywhere; border-radius: 8px; }
summary:hover { background: var(--raised); }
summary .aside { float: right; color: var(--faint); font-variant-numeric: tabular-nums; }
.inside { padding: .35rem .9rem .9rem; scroll-margin-top: 4rem; }
.inside > * + * { margin-top: .65rem; }
.reason { background: none; font-weight: 500; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .4rem 1rem; margin: 0; padding: .5rem 0; border-top: 1px solid var(--line); }
dt { color: var(--faint); font-size: .85em; } dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
ul.findings { list-style: none; margin-bottom: 0; padding: 0; } ul.findings li { overflow-wrap: anywhere; padding-left: 1.4em; text-indent: -1.4em; }
ul.findings .sign { text-indent: 0; }
.exchange > .columns { margin-top: 0; }
pre { background: var(--raised); border-radius: 6px; padding: .6rem .75rem; margin: .2rem 0 0; max-height: 24rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: 0; max-width: 100%; }
.artifacts { display: flex; flex-wrap: wrap; align-items: end; gap: 1rem; }
img, video { display: block; max-width: 100%; max-height: 20rem; border: 1px solid var(--line); border-radius: 6px; background: repeating-conic-gradient(#8883 0 25%, transparent 0 50%) 0 0 / 16px 16px; }
video { width: 30rem; }
figcaption { color: var(--faint); font-size: .85em; margin-top: .25rem; overflow-wrap: anywhere; }
.runs .badge { padding: .05rem .25rem; } .runs .sign { min-width: 0; }
`;

const MANNERS = `
@media (max-width: 480px) {
  /* The labels of narrow axes would touch. */
  svg.axis text:nth-child(even) { display: none; }
  main { padding: 1rem .75rem 3rem; } th, td, .matrix td a { padding: .3rem .55rem; }
  th > .name { max-width: 8.5rem; } .matrix thead .name { max-width: 7rem; } td.drawing, th.drawing { padding-left: 1.1rem; padding-right: 1.1rem; }
  summary .aside { float: none; display: block; } dl { grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  body { font-size: 11px; } main { max-width: none; padding: 0; } * { print-color-adjust: exact; }
  .scroll, pre { overflow: visible; max-height: none; } th, td, .matrix td a { padding: .2rem .3rem; }
  /* Paper does not scroll. */
  .matrix thead .name { max-width: 4rem; } .matrix tbody .name { max-width: 8rem; } .matrix small { display: none; } .filter, video { display: none; } a { color: inherit; }
  details::details-content { content-visibility: visible; block-size: auto; } tr, figure, summary { break-inside: avoid; }
}
`;

/** The look of every page: light and dark, from 320 px on, on paper. */
export const STYLE = `${COLOURS}${TEXT}${TABLES}${DETAILS}${MANNERS}`;
