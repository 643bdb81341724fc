/** Looks every night for keys that differ from the manifest, and posts what it finds to a chat. */
import { createKeyplane, loadManifest, openGateway, pendingChanges, Secret } from 'keyplane';

interface Night {
  readonly manifest: string;
  readonly url: string;
  readonly userId: number;
  readonly accessToken: string;
  readonly post: (text: string) => Promise<void>;
}

/** Posts at most one message; none when every key is as declared. */
export async function reportDrift({ manifest: path, post, accessToken, ...account }: Night): Promise<void> {
  const manifest = await loadManifest(path);
  await using gateway = await openGateway({ ...account, accessToken: new Secret(accessToken) });
  const { outlook } = await createKeyplane({ gateway }).drift(manifest, { expiringDays: 30 });
  const lines = [
    ...pendingChanges(outlook.drift).map(({ verb, name }) => `- ${name} differs: an apply would ${verb} it`),
    ...outlook.low.map(({ name }) => `- ${name} is nearly used up`),
    ...outlook.expiring.map(({ name, expires }) => `- ${name} expires on ${new Date(expires * 1000).toDateString()}`),
  ];
  if (lines.length > 0) await post([`Keys of user ${account.userId}:`, ...lines].join('\n'));
}
