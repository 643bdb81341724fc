/** One pattern that plain English does not need. */
export interface EnglishRule {
  readonly pattern: RegExp;
  /** The wording to use instead, or the reason. */
  readonly instead: string;
}

/** Patterns for running text: Markdown, comments, strings, templates, test titles. */
export const PROSE: readonly EnglishRule[] = [
  { pattern: /\bcan not\b/i, instead: '“cannot”' },
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no\b(?! (?:longer|more|less|fewer|\w+er than|different)\b)/i,
    instead: '“is not a …”; “there is no …” and “is no longer …” are fine',
  },
  {
    pattern: /\b(?:tell|tells|telling|told|untold)\b/i,
    instead: 'report, pass, show, distinguish, detect, inform; “unknown” for “not told”',
  },
  { pattern: /\bshall\b/i, instead: '“must” for a duty, “should” for advice, “will” for the future' },
  { pattern: /\bmend(?:s|ed|ing|able)?\b/i, instead: 'fix, correct, repair' },
  { pattern: /\banew\b/i, instead: 'again, from scratch, a new …' },
  { pattern: /\bbeside\b/i, instead: 'next to, along with, in addition to, besides' },
  {
    pattern: /\b(?:say|says|said|saying|unsaid|sayable|unsayable)\b/i,
    instead: 'state, report, read, declare, specify, set, mention, “according to”',
  },
  {
    pattern: /(?<!-)\b(?:stand|stands|stood|standing)\b(?!-(?:in|alone)\b| for\b| out\b)/i,
    instead: 'is, is written, appears, remains, runs; “long-running” for a standing program',
  },
  { pattern: /\bdo(?:es)? not take th(?:is|ese|at)\b/i, instead: '“Invalid value for …”, “does not support …”' },
  { pattern: /\bas (?:it was|they were|was) written\b/i, instead: 'as declared, unchanged, verbatim' },
  { pattern: /\b(?:leave|leaves|leaving|left)(?: \S+)? away\b/i, instead: 'omit, omitted' },
  {
    pattern:
      /\b(?:all|many|several|both|two|three|four|five|six|ten|\d+|most|together|more than one|few|some)\b(?: \w+){0,4} at once\b/i,
    instead: 'concurrently, in parallel, at the same time; “at once” means immediately',
  },
  { pattern: /\b(?:(?<!--)vantages?|turnstiles?|oddit(?:y|ies)|sabotaged?)\b/i, instead: 'see the names below' },
  { pattern: /\b(?:linger(?:s|ed|ing)?|tailor(?:s|ed|ing)?|spoil(?:s|ed|ing|t)?)\b/i, instead: 'see the names below' },
  { pattern: /\b(?:timeless|retouch(?:es|ed|ing)?|presentable)\b/i, instead: 'see the names below' },
  { pattern: /\b(?:purses?|scouts?|couriers?|exhibits?|pleas?|deeds?)\b/i, instead: 'see the names below' },
  { pattern: /\b(?:wish|wishes|wished|wishing)\b/i, instead: 'want, request, config, expectation' },
  { pattern: /\b(?:reckon(?:s|ed|ing|ings)?|sow(?:s|n|ed|ing)?)\b/i, instead: 'estimate, calculate; seed' },
  { pattern: /\bbase address\b/i, instead: '“base URL”' },
  { pattern: /\bgive --\w/i, instead: '“pass --flag”' },
  {
    pattern: /\bname (?:another|one|its?)\b[^.]* with (?:`|--?\w)/i,
    instead: '“pass … with --flag”, “choose another …”',
  },
  { pattern: /--[a-z-]+ takes\b/, instead: '“Invalid value … for --flag: expected …”' },
  { pattern: /\b(?:is|are|was|were) there already\b/i, instead: 'already exists' },
  { pattern: /\b(?:left|leaves?) as (?:it|they) (?:is|was|are|were)\b/i, instead: 'unchanged' },
  { pattern: /\bnot (?:\w+ ){0,3}any more\b/i, instead: 'no longer' },
  { pattern: /\b(?:go|goes|gone|going|went) on with\b/i, instead: 'continue with' },
  { pattern: /\bfor good\b/i, instead: 'permanently' },
];

/** How the text of a docstring must not begin. */
export const DOCSTRING: EnglishRule = {
  pattern: /^(?:What|Of|So|How|Whether|Who|Whose|Which|Where|Why|As|That)\b/,
  instead: 'begin a docstring with a verb (“Parses …”) or a noun phrase (“The settings …”)',
};

/** Words of identifiers (`isToldAgain` has the words `is`, `told`, `again`) and of file names. */
export const NAMES: Readonly<Record<string, string>> = {
  tell: 'report, describe',
  tells: 'reports, describes',
  telling: 'reporting',
  told: 'reported, known, output',
  say: 'state, declare',
  says: 'states, declares',
  said: 'declared, stated, output',
  saying: 'declaring',
  unsaid: 'unrepresentable',
  sayable: 'representable',
  stands: 'is',
  stood: 'was',
  standing: 'long-running',
  shall: 'must',
  mend: 'fix',
  mends: 'fixes',
  mended: 'fixed',
  anew: 'again',
  beside: 'next to, with',
  purse: 'cost tracker',
  pocket: 'state',
  pockets: 'states',
  scout: 'price probe',
  scouts: 'price probes',
  reckon: 'estimate',
  reckoned: 'estimated',
  reckoning: 'cost estimate',
  desk: 'paid pipeline',
  desks: 'paid pipelines',
  arrival: 'incoming request',
  departure: 'disconnect signal',
  courier: 'callback dispatcher',
  parking: 'request gate',
  parked: 'held at the request gate',
  sow: 'seed ledger',
  sown: 'seeded',
  sowing: 'seeding',
  sabotage: 'fault injection',
  sabotages: 'fault injections',
  sabotaged: 'faulty',
  plea: 'check request',
  pleas: 'check requests',
  vantage: 'alternate route',
  wish: 'config, expectation',
  wishes: 'configs, expectations',
  wished: 'requested',
  examination: 'check recorder',
  examinations: 'check recorders',
  exhibit: 'artifact',
  exhibits: 'artifacts',
  presentable: 'redacted',
  overlay: 'merge request',
  looking: 'file context',
  oddity: 'incompatibility',
  oddities: 'incompatibilities',
  turnstile: 'read-write gate',
  gathered: 'batch',
  linger: 'batch delay',
  tailor: 'schema customizer',
  tailored: 'customized',
  retouch: 'edit image',
  spoil: 'corrupt',
  spoilt: 'corrupt',
  spoiled: 'corrupt',
  timeless: 'strip timestamps',
  sight: 'plan context',
  deed: 'key action',
  films: 'videos',
  deeds: 'key actions',
};

/** Names that are banned as a whole: each has meant something else in every room. */
export const WHOLE_NAMES: Readonly<Record<string, string>> = {
  Surroundings: 'name what they are',
  Look: 'observation, check, lookup',
  Around: 'context',
  Written: 'declared, output',
  Refused: 'diagnostic, fault, rejected',
  Known: 'name what is known',
  Found: 'name what was found',
  Patient: 'context',
  Placed: 'install outcome',
  Placing: 'provider installation',
  Proof: 'check execution',
  Proven: 'reported run',
  Remark: 'note, diagnostic',
  Remarks: 'diagnostics',
  judgeCheck: 'validateCheck',
  mustReach: 'requireLength',
  speaks: 'isChatModel',
  embeds: 'isEmbeddingModel',
  Visit: 'request context',
  Site: 'gateway context',
  site: 'gateway context',
};

/** Names that stay, because they are not ours alone to change. */
export const PUBLIC_NAMES: ReadonlySet<string> = new Set([
  // Exported by the constructs.
  'constructs/cdk/index.ts: Written',
  // The flag `--vantage-proxy`.
  'src/cli/commands/checking/places.ts: vantage',
  'src/cli/commands/checking/options.ts: vantage',
  'src/cli/program/tree/checks.ts: vantage',
  // Fields of JSON output.
  'src/cli/output/doctor.ts: says (“says”)',
  'test/cli/commands/doctor.test.ts: says (“says”)',
  'test/cli/program/annoyances.test.ts: says (“says”)',
  'docs/json-output.md: exhibits',
  'scripts/generate/output/checks.ts: exhibits (“exhibits”)',
  'scripts/generate/output/tools.ts: says (“says”)',
  'src/cli/output/json/check-data.ts: exhibits (“exhibits”)',
]);
