import { type ApiAnswer, type ApiRequest, openApiServer } from './api-server.ts';

export interface Variable {
  key: string;
  value: string;
  environment_scope: string;
  masked: boolean;
  hidden: boolean;
  protected: boolean;
  raw: boolean;
  variable_type: string;
  description: string | null;
}

export interface GitlabOptions {
  readonly token?: string;
  readonly scopes?: readonly string[];
  /** Before 16.9, `filter` has no effect on the variables of a group. */
  readonly ignoresFilter?: boolean;
  /** The tier without scopes for the variables of groups: a scope is ignored. */
  readonly isFree?: boolean;
  /** Before 17.4, `masked_and_hidden` is ignored. */
  readonly isOld?: boolean;
  /** The rows of a page at most. */
  readonly pageSize?: number;
}

const OWNERS = ['projects/acme/shop', 'groups/acme'];

/** A masked value has at least 8 characters of the Base64 alphabet and a few others; one that is not expanded, any but white space. */
const MASKABLE = /^[A-Za-z0-9+/=@:.~_-]{8,}$/;
const MASKABLE_RAW = /^\S{8,}$/;

const fieldsOf = (body: unknown): Record<string, unknown> => Object(body) as Record<string, unknown>;

/** CI/CD variables as the documentation and the source of GitLab describe them. Listed in decision 38. */
export async function startGitlab(options: GitlabOptions = {}) {
  const { token = 'glpat-for-tests-only-12345', scopes = ['api'], ignoresFilter = false, pageSize = 100 } = options;
  const { isFree = false, isOld = false } = options;
  const variables: (Variable & { readonly owner: string })[] = [];
  const shown = ({ value, ...rest }: Variable): object => ({ ...rest, value: rest.hidden ? null : value });

  const invalid = (fields: Record<string, unknown>): ApiAnswer | undefined => {
    const { value, masked, masked_and_hidden, description, raw } = fields;
    const maskable = raw === true ? MASKABLE_RAW : MASKABLE;
    if (value === undefined || value === '') return { status: 400, json: { error: 'value is missing' } };
    if ((masked === true || masked_and_hidden === true) && !maskable.test(String(value))) {
      return { status: 400, json: { message: { value: ['is invalid'] } } };
    }
    if (String(description ?? '').length > 255) {
      return { status: 400, json: { message: { description: ['is too long (maximum is 255 characters)'] } } };
    }
    return undefined;
  };

  const create = (owner: string, fields: Record<string, unknown>): ApiAnswer => {
    const wrong = invalid(fields);
    if (wrong) return wrong;
    const { key, value } = fields;
    const hidden = !isOld && fields.masked_and_hidden === true;
    const environment_scope = isFree && owner.startsWith('groups/') ? '*' : (fields.environment_scope ?? '*');
    if (
      variables.some((each) => each.owner === owner && each.key === key && each.environment_scope === environment_scope)
    ) {
      return { status: 400, json: { message: { key: [`(${key}) has already been taken`] } } };
    }
    const made = {
      owner,
      key: String(key),
      value: String(value),
      environment_scope: String(environment_scope),
      masked: fields.masked === true || hidden,
      hidden,
      protected: fields.protected === true,
      raw: fields.raw === true,
      variable_type: 'env_var',
      description: (fields.description as string | undefined) ?? null,
    };
    variables.push(made);
    return { status: 201, json: shown(made) };
  };

  const change = (found: Variable, fields: Record<string, unknown>): ApiAnswer => {
    const wrong = invalid(fields);
    if (wrong) return wrong;
    if (found.hidden && 'masked' in fields && fields.masked !== found.masked) {
      const base = ['The visibility setting cannot be changed for masked and hidden variables.'];
      return { status: 400, json: { message: { base } } };
    }
    const {
      value,
      description = found.description,
      masked = found.masked,
      protected: isProtected = found.protected,
    } = fields;
    Object.assign(found, { value, description, masked, protected: isProtected });
    return { status: 200, json: shown(found) };
  };

  const list = (owner: string, { query }: ApiRequest): ApiAnswer => {
    const [page, size] = [Number(query.get('page') ?? 1), Math.min(Number(query.get('per_page') ?? 20), pageSize)];
    const own = variables.filter((each) => each.owner === owner);
    const isLast = page * size >= own.length;
    return {
      status: 200,
      json: own.slice((page - 1) * size, page * size).map(shown),
      headers: { 'x-next-page': isLast ? '' : String(page + 1) },
    };
  };

  const server = await openApiServer((request) => {
    if (request.headers['private-token'] !== token) return { status: 401, json: { message: '401 Unauthorized' } };
    if (request.path === '/api/v4/personal_access_tokens/self') return { status: 200, json: { id: 1, scopes } };
    if (!scopes.includes('api') && request.method !== 'GET') {
      const error_description = 'The request requires higher privileges than provided by the access token.';
      return { status: 403, json: { error: 'insufficient_scope', error_description, scope: 'api' } };
    }
    const [, kind, id = '', key] =
      /^\/api\/v4\/(projects|groups)\/([^/]+)\/variables(?:\/([^/]+))?$/.exec(request.path) ?? [];
    const owner = `${kind}/${decodeURIComponent(id)}`;
    if (!OWNERS.includes(owner)) {
      return { status: 404, json: { message: `404 ${kind === 'groups' ? 'Group' : 'Project'} Not Found` } };
    }
    if (key === undefined)
      return request.method === 'POST' ? create(owner, fieldsOf(request.body)) : list(owner, request);
    const scope = ignoresFilter ? null : request.query.get('filter[environment_scope]');
    const found = variables.filter(
      (each) => each.owner === owner && each.key === key && (scope === null || each.environment_scope === scope),
    );
    const [first] = found;
    if (first === undefined) {
      // A change of a group's variable that is gone falls back to any variable of that name.
      const other = variables.find((each) => each.owner === owner && each.key === key);
      if (request.method === 'PUT' && kind === 'groups' && other) return change(other, fieldsOf(request.body));
      return { status: 404, json: { message: `404 ${kind === 'groups' ? 'Group' : ''}Variable Not Found` } };
    }
    if (found.length > 1)
      return {
        status: 409,
        json: {
          message: "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
        },
      };
    if (request.method === 'GET') return { status: 200, json: shown(first) };
    if (request.method === 'PUT') return change(first, fieldsOf(request.body));
    variables.splice(variables.indexOf(first), 1);
    return { status: 204 };
  });
  return Object.assign(server, { token, variables });
}
