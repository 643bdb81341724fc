/** The look of every page. Colours have at least 4.5:1 on their ground, in light and in dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f7f9; --line: #d5d9e0; --text: #1c2230; --faint: #5b6475; --link: #0b57c2;
  --good: #14692c; --good-ground: #dff3e4; --bad: #a8141c; --bad-ground: #fde4e4;
  --change: #7a4b00; --change-ground: #fdf0d2; --bar: #4d7fd1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171d; --raised: #1d2129; --line: #363d49; --text: #e6e9ef; --faint: #a3acbb; --link: #8ab8ff;
    --good: #7fdc98; --good-ground: #153520; --bad: #ff9ba0; --bad-ground: #43191c;
    --change: #f3c66b; --change-ground: #3b2c0d; --bar: #6e9be8;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: .25rem 0; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font: .85em/1.45 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
.faint { color: var(--faint); }
.wrap { overflow-wrap: anywhere; }
.banner { border-left: 4px solid var(--bad); background: var(--bad-ground); padding: .6rem .9rem; margin: 1rem 0; overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.figures li { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .7rem; }
.figures b { font-size: 1.15rem; margin-right: .3rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.scroll table { min-width: 100%; }
caption { text-align: left; padding: .5rem .75rem; color: var(--faint); font-size: .9rem; }
th, td { padding: .35rem .7rem; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { border-top: 0; background: var(--raised); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 500; white-space: nowrap; background: var(--ground); }
.matrix tbody th, .matrix thead th:first-child { position: sticky; left: 0; z-index: 1; max-width: 14rem; overflow: hidden; text-overflow: ellipsis; }
.matrix td { padding: 0; }
.matrix td a { display: block; padding: .35rem .7rem; text-decoration: none; white-space: nowrap; }
.matrix td a:hover { text-decoration: underline; }
.number, thead th.number { text-align: right; white-space: nowrap; }
.scroll + .scroll { margin-top: .75rem; }
.passed { color: var(--good); background: var(--good-ground); }
.failed { color: var(--bad); background: var(--bad-ground); }
.flaky, .unprovable { color: var(--change); background: var(--change-ground); }
.skipped { color: var(--faint); }
.sign { display: inline-block; min-width: 1.1em; font-weight: 700; }
.badge { border-radius: 4px; padding: .05rem .45rem; white-space: nowrap; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; }
details > summary { cursor: pointer; padding: .5rem .75rem; overflow-wrap: anywhere; }
details[open] > summary { border-bottom: 1px solid var(--line); }
.inside { padding: .6rem .9rem .9rem; scroll-margin-top: 4rem; }
.inside > * + * { margin-top: .6rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem .9rem; margin: 0; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
ul.findings { list-style: none; margin-bottom: 0; padding: 0; }
ul.findings li { overflow-wrap: anywhere; }
.holds { color: var(--good); } .broken { color: var(--bad); }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .75rem; margin: .3rem 0 0; max-height: 24rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: 0; display: inline-block; max-width: 100%; vertical-align: top; }
.exhibits { display: flex; flex-wrap: wrap; gap: .9rem; }
img, video { display: block; max-width: 100%; max-height: 20rem; border: 1px solid var(--line); border-radius: 6px; background: repeating-conic-gradient(#8883 0 25%, transparent 0 50%) 0 0 / 16px 16px; }
figcaption { color: var(--faint); font-size: .85rem; margin-top: .25rem; }
svg.bar { display: block; width: 100%; min-width: 6rem; height: .8rem; }
svg.bar rect { fill: var(--bar); } svg.bar .range { opacity: .35; }
svg.spark { width: 9rem; height: 1.6rem; vertical-align: middle; }
svg.spark polyline { fill: none; stroke: var(--bar); stroke-width: 1.5; }
.runs { letter-spacing: .12em; }
@media (max-width: 480px) { main { padding: 1rem .75rem 3rem; } th, td, .matrix td a { padding: .3rem .5rem; } dl { column-gap: .6rem; } }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print { details { break-inside: avoid; } .scroll { overflow: visible; } a { color: inherit; } }
`;
