import type { Ended, StoredKey } from './bench.ts';
import { byId, type Days, LIMITS } from './days.ts';
import {
  type Declared,
  hasName,
  heldOf,
  inScope,
  isMarked,
  PROTECTED,
  settingsOf,
  type Team,
  wantedOf,
  writeManifest,
} from './teams.ts';
import { generationsOf } from './truth.ts';

const APPLY = ['apply', '-f', 'manifest', '--yes', ...LIMITS, '--format', 'json'] as const;

interface FaultText {
  readonly data?: { readonly outcomes?: readonly { readonly state: string; readonly reason?: string }[] } | null;
  readonly fault?: { readonly code: string; readonly detail?: { readonly ambiguous?: readonly { ids: number[] }[] } };
}

/** The fault that a command printed as JSON. */
function faultOf({ stdout }: Ended): FaultText['fault'] {
  try {
    return (JSON.parse(stdout) as FaultText).fault;
  } catch {
    return undefined;
  }
}

/** Does an old generation stay because somebody limited its successor, so that nobody can prove its secret from here? */
function isUnproven({ stdout }: Ended): boolean {
  const { data } = JSON.parse(stdout) as FaultText;
  const left = data?.outcomes?.filter(({ state }) => state !== 'applied') ?? [];
  return left.length > 0 && left.every(({ reason = '' }) => reason.includes('could not be proven'));
}

/** Decides as a person does about a plan that nobody else can decide. */
async function decide(days: Days, team: Team, ended: Ended): Promise<void> {
  const fault = faultOf(ended);
  if (fault?.code === 'plan.stale-adoption') await undeclareGone(days, team);
  if (fault?.code !== 'plan.ambiguous') return;
  const keys = byId(await days.bench.keys());
  for (const { ids } of fault.detail?.ambiguous ?? []) {
    const key = keys.get(Math.max(...ids));
    if (key === undefined || ids.length < 2) days.problems.push(`${ids.join()} are not ambiguous`);
    else await days.bench.remove(key);
    days.story.push(`   ${ids.join()} are ambiguous, and a person deletes ${key?.id}`);
  }
}

/** Removes the declarations of keys by IDs that are gone, or have other names. */
async function undeclareGone({ bench, truth, story }: Days, team: Team): Promise<void> {
  const keys = byId(await bench.keys());
  const isGone = ({ id, name, renamedFrom }: Declared): boolean => {
    const of = typeof renamedFrom === 'object' ? renamedFrom.id : id;
    return of !== undefined && (id === undefined ? !keys.has(of) : keys.get(of)?.name !== name);
  };
  const gone = new Set([...team.keys.values()].filter(isGone).map(({ label }) => label));
  for (const fact of truth.facts.values()) if (fact.label && gone.has(fact.label)) fact.undeclaredAt = bench.now();
  team.keys = new Map([...team.keys].filter(([label]) => !gone.has(label)));
  story.push(`   ${[...gone].join()} are gone`);
}

/** Runs apply until it succeeds, and verifies that everything is as declared. */
export async function settle(days: Days, team: Team): Promise<void> {
  let ended: Ended | undefined;
  for (let tries = 0; tries < 6; tries += 1) {
    ended = await days.run({ team }, APPLY);
    if (days.problems.length > 0) return;
    if (ended.code === 0 && (await isEnding(days, team))) continue;
    if (ended.code === 0) break;
    days.story.push(`   ${team.title}: apply exits with ${ended.code} ${faultOf(ended)?.code ?? ''}`);
    if (isUnproven(ended)) return;
    await decide(days, team, ended);
  }
  if (ended?.code !== 0) {
    days.problems.push(`apply exits with ${ended?.code}: ${ended?.stdout.slice(0, 3000)}\n${ended?.stderr}`);
    return;
  }
  days.story.push(`   ${team.title} is settled`);
  await verify(days, team);
  team.keys = new Map([...team.keys].map(([label, { renamedFrom: _, ...rest }]) => [label, rest] as const));
}

/** An old generation is disabled by one run, and deleted by the next one; then a successor may be due. */
async function isEnding(days: Days, team: Team): Promise<boolean> {
  const { changes } = await planOf(days, team);
  const writes = changes.filter(({ verb }) => !['keep', 'retain', 'hold'].includes(verb));
  return writes.length > 0 && writes.every(({ reason, verb, of }) => reason === 'rotated' || (verb === 'create' && of));
}

async function planOf({ bench }: Days, team: Team) {
  await writeManifest(bench, team);
  const { code, stdout, stderr } = await bench.command(team.seat, [
    'plan',
    '-f',
    'manifest',
    ...LIMITS,
    '--format',
    'json',
  ]);
  if (code !== 0) throw new Error(`plan exits with ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout).data as {
    changes: { verb: string; reason?: string; name: string; of?: string }[];
    deliveries?: object[];
  };
}

async function verify(days: Days, team: Team): Promise<void> {
  const { bench, problems } = days;
  const keys = await bench.keys();
  const { changes, deliveries = [] } = await planOf(days, team);
  const left = [...changes.filter(({ verb }) => !['keep', 'retain', 'hold'].includes(verb)), ...deliveries];
  if (left.length > 0) problems.push(`the next plan has ${JSON.stringify(left)}`);
  for (const declared of team.keys.values()) problems.push(...(await problemsOf(days, team, declared, keys)));
  for (const key of keys) problems.push(...leftOver(days, team, key));
}

async function problemsOf(
  { bench, truth }: Days,
  team: Team,
  declared: Declared,
  keys: readonly StoredKey[],
): Promise<readonly string[]> {
  const all = generationsOf(truth, keys, declared.label);
  const current = all.at(-1);
  const about = `${declared.label} (${declared.name})`;
  if (current === undefined) return [`${about} has no key`];
  const [settings, wanted] = [settingsOf(current), wantedOf(declared)];
  const fact = truth.facts.get(current.id);
  const isHeld = fact?.disabledBy !== undefined;
  // One that is expired or exhausted does not work either.
  const isAsDeclared = declared.enabled ? current.status !== 2 || isHeld : current.status !== 1;
  const wrong = Object.keys(wanted).filter((name) => wanted[name] !== settings[name]);
  const secret = declared.isDelivered ? await heldOf(bench, team, declared) : undefined;
  const isDelivered = !declared.isDelivered || current.status === 2 || secret?.replace(/^sk-/, '') === current.key;
  const { units, most } = declared.budget;
  const used = all.reduce((sum, { id }) => sum + (truth.facts.get(id)?.used ?? 0), 0);
  const isTooMuch =
    !current.unlimited_quota &&
    (current.remain_quota > most ||
      current.remain_quota > Math.max(0, (units ?? most) - (units === undefined ? 0 : used)));
  return [
    ...all.flatMap(({ name }) =>
      hasName(declared.name, name) && !isMarked(name) ? [] : [`${about} has a key ${name}`],
    ),
    ...(new Set(all.map(({ name }) => name)).size === all.length ? [] : [`${about} has twins`]),
    ...wrong.map((name) => `${about} has ${name} ${String(settings[name])} instead of ${String(wanted[name])}`),
    ...(isAsDeclared ? [] : [`${about} has status ${current.status}`]),
    ...(isDelivered ? [] : [`${about}: the sink does not have the secret of ${current.id}`]),
    ...(isTooMuch ? [`${about} holds ${current.remain_quota}, and has used ${used}`] : []),
  ];
}

/** A key in scope that nobody declares any more. */
function leftOver({ truth }: Days, team: Team, key: StoredKey): readonly string[] {
  const { label, team: of } = truth.facts.get(key.id) ?? {};
  if (!inScope(team, key) || key.name.startsWith(`${team.prefix}-${PROTECTED}`)) return [];
  if (of === team && label !== undefined && team.keys.has(label)) return [];
  // A name that is shortened may be one of a protected key.
  if (/lon?g?l?~/.test(key.name)) return [];
  const about = `key ${key.id} (${key.name}), which nobody declares,`;
  if (team.prune === 'delete') return [`${about} is still there`];
  const isEnded = key.status === 2 || team.prune === 'never' || isMarked(key.name);
  return isEnded ? [] : [`${about} still works`];
}
