import { asFault, Fault, type GitlabTarget, Secret } from '../../domain/index.ts';
import type { SinkHolder, SinkMatch, SinkMetadata, SinkOperations } from '../../reconcile/index.ts';
import {
  type Fingerprint,
  fingerprintOf,
  matchesFingerprint,
  renderFingerprint,
  tryParseFingerprint,
} from '../fingerprint.ts';
import { type CallSignal, fieldsOf, type RemoteCall, type RemoteCaller, textOf } from './caller.ts';
import { renderTag, tagFingerprint, tagManager } from './tag.ts';

type Settings = GitlabTarget['gitlabVariable'];
/** A variable as GitLab answers it. */
interface GitlabVariable {
  /** Undefined: it is hidden. */
  readonly value: string | undefined;
  readonly isHidden: boolean;
  readonly isMasked: boolean;
  readonly isProtected: boolean;
  readonly manager: string | undefined;
  readonly fingerprint: Fingerprint | undefined;
}

interface GitlabPlace {
  readonly call: RemoteCaller;
  readonly settings: Settings;
  /** The variables of the project or group. */
  readonly variables: string;
  readonly scope: string;
}

/** Also what GitLab without Premium makes of the scope of a group's variable. */
const ALL_SCOPES = '*';

/** GitLab takes no longer description. */
const LONGEST = 255;

/** A CI/CD variable of a project or a group. Its description has the fingerprint, which decides where the value is hidden. */
export function gitlabSink({ gitlabVariable: settings }: GitlabTarget, call: RemoteCaller): SinkOperations {
  const owner = settings.project === undefined ? ['groups', settings.group] : ['projects', settings.project];
  const variables = `/api/v4/${owner[0]}/${encodeURIComponent(owner[1] ?? '')}/variables`;
  const place: GitlabPlace = { call, settings, variables, scope: settings.environment ?? ALL_SCOPES };
  return {
    async probe(signal) {
      const variable = await lookAt(place, signal);
      await verifyScopes(call, signal);
      if (variable) refuseVisible(settings, variable);
      return holderOf(variable);
    },
    compare: async (secret, signal) => matchOf(place, await lookAt(place, signal), secret),
    write: (secret, metadata, signal) => writeVariable(place, { secret, metadata }, signal),
    async read(signal) {
      const value = (await lookAt(place, signal))?.value;
      return value === undefined || value === '' ? undefined : new Secret(value);
    },
    async remove(signal) {
      if (holderOf(await lookAt(place, signal)) !== 'ours') return;
      await call({ method: 'DELETE', path: pathOf(place), repeatable: true, expects: [204, 404], signal });
    },
  };
}

const pathOf = ({ variables, settings: { as }, scope }: GitlabPlace): string =>
  `${variables}/${encodeURIComponent(as)}?${new URLSearchParams({ 'filter[environment_scope]': scope })}`;

async function lookAt(place: GitlabPlace, signal: CallSignal): Promise<GitlabVariable | undefined> {
  const { call, scope, settings } = place;
  const isWhole = (answer: unknown): boolean => fieldsOf(answer).get('key') === settings.as;
  const { status, json } = await call({
    method: 'GET',
    path: pathOf(place),
    expects: [200, 404, 409],
    isWhole,
    signal,
  });
  if (status === 404) {
    refuseOtherMissing(place, json);
    return undefined;
  }
  // Older versions ignore the filter for groups: then several variables match.
  const found = status === 409 ? await findInList(place, signal) : json;
  return fieldsOf(found).get('environment_scope') === scope ? variableFrom(found) : undefined;
}

/** A project that the token may not see is answered as one that does not exist: that is not a missing variable. */
function refuseOtherMissing({ settings: { project, group } }: GitlabPlace, json: unknown): void {
  const reason = reasonOfGitlab(json) ?? '';
  if (/variable not found/i.test(reason)) return;
  const what = project === undefined ? `group ${group}` : `project ${project}`;
  throw new Fault('sink.refused', `GitLab has no ${what}, or the token may not see its variables (404).`, {
    hint: GITLAB_PERMISSIONS,
  });
}

const MOST_PAGES = 100;

async function findInList({ call, variables, settings, scope }: GitlabPlace, signal: CallSignal): Promise<unknown> {
  let page = '1';
  for (let read = 0; read < MOST_PAGES && page !== ''; read += 1) {
    const path = `${variables}?per_page=100&page=${page}`;
    const { json, headers } = await call({ method: 'GET', path, expects: [200], isWhole: Array.isArray, signal });
    const found = (Array.isArray(json) ? json : []).find((each) => {
      const fields = fieldsOf(each);
      return fields.get('key') === settings.as && fields.get('environment_scope') === scope;
    });
    if (found !== undefined) return found;
    page = headers['x-next-page'] ?? '';
  }
  return undefined;
}

function variableFrom(json: unknown): GitlabVariable {
  const fields = fieldsOf(json);
  const description = textOf(fields.get('description')) ?? '';
  return {
    value: textOf(fields.get('value')),
    isHidden: fields.get('hidden') === true,
    isMasked: fields.get('masked') === true,
    isProtected: fields.get('protected') === true,
    manager: tagManager(description),
    fingerprint: tryParseFingerprint(tagFingerprint(description)),
  };
}

function holderOf(variable: GitlabVariable | undefined): SinkHolder {
  if (variable === undefined) return 'absent';
  return variable.manager === 'keyplane' ? 'ours' : 'foreign';
}

function matchOf({ settings }: GitlabPlace, variable: GitlabVariable | undefined, secret: Secret): SinkMatch {
  if (variable === undefined) return 'absent';
  const { value, fingerprint, isMasked, isHidden, isProtected } = variable;
  const { masked = true, protected: isDeclaredProtected = false } = settings;
  // Somebody who unmasks a variable shows its value in every log.
  if (isProtected !== isDeclaredProtected || (!isHidden && isMasked !== (masked || settings.hidden === true))) {
    return 'other';
  }
  if (value !== undefined) return secret.is(value) ? 'current' : 'other';
  if (fingerprint === undefined) return 'unknown';
  return matchesFingerprint(secret, fingerprint) ? 'current' : 'other';
}

async function writeVariable(
  place: GitlabPlace,
  { secret, metadata }: { readonly secret: Secret; readonly metadata: SinkMetadata },
  signal: CallSignal,
): Promise<void> {
  const { call, settings, scope, variables } = place;
  const before = await lookAt(place, signal);
  if (before) refuseVisible(settings, before);
  if (matchOf(place, before, secret) === 'current') return;
  const { as, masked = true, hidden = false, protected: isProtected = false } = settings;
  const description = renderTag(renderFingerprint(fingerprintOf(secret)), metadata).slice(0, LONGEST);
  const values = { value: secret.reveal(), description, protected: isProtected, raw: true };
  // GitLab rejects `masked` for a variable that is hidden, and hides one only when it is created.
  const visibility = hidden ? { masked_and_hidden: true } : { masked };
  const request: RemoteCall = {
    ...(before === undefined
      ? {
          method: 'POST' as const,
          path: variables,
          body: { key: as, environment_scope: scope, ...values, ...visibility },
        }
      : {
          method: 'PUT' as const,
          path: pathOf(place),
          body: { ...values, ...(before.isHidden ? {} : { masked }) },
          repeatable: true,
        }),
    staleWhen: /has already been taken|^404 404 (Group)?Variable/i,
    expects: [200, 201],
    signal,
  };
  const { json } = await call(request).catch(async (thrown: unknown) => {
    if (before === undefined && asFault(thrown).code === 'sink.stale') await refuseLeftOver(place, secret, signal);
    throw thrown;
  });
  await refuseWider(place, { json, isNew: before === undefined }, signal);
}

/**
 * Refuses a variable that more jobs or people can read than declared, and deletes it if it is new: a version or tier of GitLab that lacks a
 * setting ignores it.
 *
 * @throws Fault `sink.refused`
 */
async function refuseWider(
  place: GitlabPlace,
  { json, isNew }: { readonly json: unknown; readonly isNew: boolean },
  signal: CallSignal,
): Promise<void> {
  const { call, settings } = place;
  const fields = fieldsOf(json);
  const scope = textOf(fields.get('environment_scope'));
  const isShown = settings.hidden === true && !variableFrom(json).isHidden;
  const lacking = scope !== place.scope ? 'environment' : isShown ? 'hidden' : undefined;
  if (scope === undefined || fields.get('key') !== settings.as || lacking === undefined) return;
  if (!isNew) {
    throw new Fault('sink.stale', `Somebody deleted the variable ${settings.as}, and GitLab changed another one.`, {
      hint: `Check the variable with the scope ${scope}, and run it again.`,
    });
  }
  const ignored = `GitLab ignored \`${lacking}\``;
  const path = pathOf({ ...place, scope });
  await call({ method: 'DELETE', path, repeatable: true, expects: [204, 404], signal }).catch((thrown: unknown) => {
    const { message } = asFault(thrown);
    throw new Fault('sink.refused', `${ignored}, and its variable ${settings.as} could not be deleted: ${message}`, {
      hint: `Too many can read it: delete it in GitLab (scope ${scope}), and rotate the key. ${IGNORED[lacking]}`,
    });
  });
  throw new Fault('sink.refused', `${ignored}, so Keyplane deleted the variable again.`, { hint: IGNORED[lacking] });
}

/**
 * Reports what a run left that was killed after GitLab had ignored the scope: its variable is in the way.
 *
 * @throws Fault `sink.refused`
 */
async function refuseLeftOver(place: GitlabPlace, secret: Secret, signal: CallSignal): Promise<void> {
  if (place.scope === ALL_SCOPES) return;
  const left = await lookAt({ ...place, scope: ALL_SCOPES }, signal).catch(() => undefined);
  if (left?.manager !== 'keyplane' || !left.fingerprint || !matchesFingerprint(secret, left.fingerprint)) return;
  throw new Fault('sink.refused', `The variable ${place.settings.as} holds the secret for every environment.`, {
    hint: `Delete it in GitLab, unless the jobs of every environment need it. ${IGNORED.environment}`,
  });
}

const IGNORED = {
  environment:
    'Scopes of group variables need GitLab Premium. Declare a variable for each project, or omit `environment`.',
  hidden: 'GitLab hides variables since version 17.4. Update it, or omit `hidden`.',
} as const;

/** @throws Fault `sink.refused` for a variable that is declared hidden, and whose value everybody with the role can read */
function refuseVisible({ hidden = false, as }: Settings, { isHidden }: GitlabVariable): void {
  if (!hidden || isHidden) return;
  throw new Fault('sink.refused', `The variable ${as} exists, and is not hidden as declared.`, {
    hint: 'GitLab hides a variable only when it is created. Delete it in GitLab, or omit `hidden`.',
  });
}

/** Finds out before a key is created whether the token may write, where GitLab shows its scopes. */
async function verifyScopes(call: RemoteCaller, signal: CallSignal): Promise<void> {
  const path = '/api/v4/personal_access_tokens/self';
  const { status, json } = await call({ method: 'GET', path, expects: [200, 400, 401, 403, 404], signal });
  const scopes = fieldsOf(json).get('scopes');
  if (status !== 200 || !Array.isArray(scopes) || scopes.includes('api')) return;
  throw new Fault('sink.unauthorized', 'The token of GitLab lacks the scope `api`.', { hint: GITLAB_PERMISSIONS });
}

export const GITLAB_PERMISSIONS =
  'The token needs the scope `api`, and the role Maintainer in the project or Owner in the group.';

/** The reason that GitLab gives, in any of the forms that it has for one. */
export function reasonOfGitlab(json: unknown): string | undefined {
  const fields = fieldsOf(json);
  const message = fields.get('message') ?? fields.get('error_description') ?? fields.get('error');
  return message === undefined || typeof message === 'string' ? message : JSON.stringify(message);
}
