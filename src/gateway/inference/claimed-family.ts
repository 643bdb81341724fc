import {
  type AnyFamily,
  FAMILIES,
  type FamilyId,
  type InferenceEndpointName,
  tryFindFamily,
} from '../../wire/index.ts';
import { invalidFault } from './sendable.ts';

const familiesOf = (endpoint: InferenceEndpointName): readonly AnyFamily[] =>
  FAMILIES.filter((family: AnyFamily) => family.endpoint === endpoint);

/**
 * The family of a request: the one that is named, else the one that claims the model.
 * @throws Fault `request.invalid` when there is none
 */
export function claimedFamily(
  endpoint: InferenceEndpointName,
  body: { readonly model?: unknown },
  named?: FamilyId,
): AnyFamily {
  const families = familiesOf(endpoint);
  if (named !== undefined) {
    const found = families.find(({ id }) => id === named);
    if (found) return found;
  }
  const claiming = named === undefined && typeof body.model === 'string' && tryFindFamily(endpoint, body.model);
  if (claiming) return claiming;
  const ids = families.map(({ id }) => id).join(', ');
  const [path, message] =
    named === undefined ? ['model', `is of none of these families: ${ids}`] : ['family', `must be one of ${ids}`];
  throw invalidFault(`The request to ${endpoint}`, [{ path, message }]);
}
