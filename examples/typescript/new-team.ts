/** Makes the keys of a new team from a form. Submitting it again changes nothing; a larger budget raises it. */
import { createKeyplane, defineManifest, isKeyplaneError, openGateway, Secret } from 'keyplane';

interface Form {
  readonly team: string;
  readonly usdPerMonth: number;
  readonly until: Date;
}

interface Account {
  readonly url: string;
  readonly userId: number;
  readonly accessToken: string;
}

/** Returns the names of the keys that were made, or what is wrong with the form. */
export async function onboard({ team, usdPerMonth, until }: Form, { accessToken, ...account }: Account) {
  const budget = { usd: usdPerMonth, per: 'month' };
  try {
    const manifest = await defineManifest({
      defaults: { expires: until },
      keys: { [`${team}-prod`]: { budget }, [`${team}-test`]: { budget: { usd: 5 } } },
    });
    await using gateway = await openGateway({ ...account, accessToken: new Secret(accessToken) });
    const { outcomes } = await createKeyplane({ gateway }).apply(manifest);
    return outcomes.flatMap(({ state, change }) =>
      state === 'applied' && change.verb === 'create' ? [change.name] : [],
    );
  } catch (thrown) {
    if (isKeyplaneError(thrown, 'manifest.invalid')) return thrown.message;
    throw thrown;
  }
}
