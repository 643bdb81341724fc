/** The imports that one row of the rooms table in ARCHITECTURE.md allows. */
export interface Room {
  readonly rooms: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
  /** `'*'` allows every built-in. */
  readonly builtins: ReadonlySet<string>;
}

const HEAD = ['room', 'what lives there', 'may import', 'packages', 'built-ins'];

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const listOf = (cell: string): ReadonlySet<string> =>
  new Set(
    cell
      .split(',')
      .map((item) => item.replaceAll('`', '').trim())
      .filter((item) => item !== ''),
  );

/**
 * Reads the rooms table out of ARCHITECTURE.md.
 *
 * @throws Error when there is no such table, or a row names a room without a row: then nothing would be checked.
 */
export function readRooms(markdown: string): ReadonlyMap<string, Room> {
  const lines = markdown.split('\n');
  const head = lines.findIndex((line) => line.startsWith('|') && HEAD.every((title, i) => cellsOf(line)[i] === title));
  if (head < 0) throw new Error(`ARCHITECTURE.md has no table with the columns ${HEAD.join(', ')}`);
  const rooms = new Map<string, Room>();
  for (const line of lines.slice(head + 2)) {
    if (!line.startsWith('|')) break;
    const [name = '', , mayImport = '', packages = '', builtins = ''] = cellsOf(line);
    rooms.set(name.replaceAll('`', ''), {
      rooms: listOf(mayImport),
      packages: listOf(packages),
      builtins: listOf(builtins),
    });
  }
  for (const [name, row] of rooms)
    for (const other of row.rooms)
      if (!rooms.has(other)) throw new Error(`the row of ${name} names ${other}, which is not a room`);
  return rooms;
}
