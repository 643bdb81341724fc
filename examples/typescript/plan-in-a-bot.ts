/** Answers a pull request: what its manifest would change, and whether an apply would be refused. Writes nothing. */
import { createKeyplane, isKeyplaneError, openGateway, parseManifest, pendingChanges, Secret } from 'keyplane';

interface Account {
  readonly url: string;
  readonly userId: number;
  readonly accessToken: string;
}

/** Returns the comment of the bot, as Markdown. */
export async function commentOn(text: string, { accessToken, ...account }: Account): Promise<string> {
  await using gateway = await openGateway({ ...account, accessToken: new Secret(accessToken) });
  try {
    const manifest = await parseManifest(text);
    const { plan, refusals } = await createKeyplane({ gateway }).plan(manifest);
    const rows = pendingChanges(plan).map(({ verb, name }) => `| ${verb} | ${name} |`);
    const refused = refusals.map(({ code, message }) => `> **${code}**: ${message}`);
    return [`${rows.length} changes`, ...refused, '', '| change | key |', '| --- | --- |', ...rows].join('\n');
  } catch (thrown) {
    // Mistakes in the manifest are for its author; everything else is for whoever runs the bot.
    if (isKeyplaneError(thrown, 'manifest.invalid')) return thrown.message;
    throw thrown;
  }
}
