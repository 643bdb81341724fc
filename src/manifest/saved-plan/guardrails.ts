import * as z from 'zod';
import type { Guardrails, Json } from '../../domain/index.ts';
import { AmountForm, encodeAmount } from './policy.ts';

/** The rules of a policy as JSON data, without places. */
export const encodeGuardrails = ({
  places: _,
  budget,
  exposure,
  totalExposure,
  ...rest
}: Guardrails): Readonly<Record<string, Json>> => ({
  ...(budget && { budget: budget === true || encodeAmount(budget) }),
  ...(exposure && { exposure: encodeAmount(exposure) }),
  ...(totalExposure && { totalExposure: encodeAmount(totalExposure) }),
  ...rest,
});

const names = z.lazy(() => z.array(z.string()));
const needed = <T extends z.ZodType>(limit: T) => z.union([z.literal(true), limit]);

/** The form of the rules of a policy in a saved plan. */
export const GuardrailsForm: z.ZodType<Guardrails> = z.lazy(() =>
  z.strictObject({
    budget: needed(AmountForm).exactOptional(),
    exposure: AmountForm.exactOptional(),
    totalExposure: AmountForm.exactOptional(),
    expires: needed(z.int().positive()).exactOptional(),
    models: needed(names).exactOptional(),
    forbiddenModels: names.exactOptional(),
    allowIps: needed(names).exactOptional(),
    owner: needed(names).exactOptional(),
    except: names.exactOptional(),
  }),
);
