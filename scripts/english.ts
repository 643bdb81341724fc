// Lists the wording that plain English does not need: `npx tsx scripts/english.ts [path …]`, for files or folders.
import { type Hit, hitsIn, readableFiles } from '../test/english/scan.ts';

const paths = process.argv.slice(2).map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''));
const isWanted = (path: string): boolean =>
  paths.length === 0 || paths.some((each) => path === each || path.startsWith(`${each}/`));

const hits = [...readableFiles()].filter(([path]) => isWanted(path)).flatMap(([path, text]) => hitsIn(path, text));

const folderOf = ({ path }: Hit): string => path.split('/').slice(0, -1).slice(0, 2).join('/') || path;

function printSummary(): void {
  const counts = new Map<string, number>();
  for (const hit of hits) counts.set(folderOf(hit), (counts.get(folderOf(hit)) ?? 0) + 1);
  for (const [folder, count] of [...counts].sort(([, a], [, b]) => b - a)) console.log(`${count}\t${folder}`);
  console.log(`${hits.length}\tin total; name a file or folder for the list`);
}

if (paths.length === 0) printSummary();
for (const { path, line, found, instead } of paths.length > 0 ? hits : [])
  console.log(`${path}:${line}: ${found} → ${instead}`);
