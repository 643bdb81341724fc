import { Fault } from '../../domain/index.ts';
import { findKind, type GatewayKind, type GatewayProfile, unkeptOf } from '../../gateway/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { type UnkeptField, unkeptFields } from '../../reconcile/index.ts';
import { hang, outdent } from '../output/layout/columns.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { has } from '../program/option.ts';
import { checkUrl } from '../session/check-url.ts';
import { connectionSettings, type Sources } from '../session/settings.ts';

/** The findings about a gateway that was asked, or whose profile was chosen. */
interface KnownGateway {
  /** Absent: not asked; null: asked and not recognized. */
  readonly gateway?: string | null;
  readonly notKept: readonly UnkeptField[];
}

/** The gateway that is asked, or whose profile was chosen. */
interface GatewayChoice {
  readonly url: string | undefined;
  readonly profile: GatewayProfile | undefined;
  readonly sources: Sources;
}

/** Finds the declared fields that a gateway does not keep. @throws Fault `usage.invalid`, and those of the connection */
export async function judgeForGateway(
  context: Context,
  { desired }: Manifest,
  { url, profile, sources }: GatewayChoice,
) {
  const kind = url === undefined ? undefined : await askKind(context, url, sources);
  const unkept = unkeptOf(kind, profile);
  const data: KnownGateway = {
    ...(url === undefined ? {} : { gateway: kind?.title ?? null }),
    notKept: unkept ? unkeptFields(desired, unkept) : [],
  };
  return { data, lines: (width: number) => linesOf(data, width) };
}

async function askKind(
  { given, interruption }: Context,
  url: string,
  sources: Sources,
): Promise<GatewayKind | undefined> {
  if (has(given, 'untrusted')) {
    throw new Fault('usage.invalid', '--untrusted and --url exclude each other.', {
      hint: 'A manifest that may come from a stranger is validated without a network.',
    });
  }
  checkUrl(url);
  return findKind({ ...(await connectionSettings(sources)), url, signal: interruption.signal });
}

function linesOf({ gateway, notKept }: KnownGateway, width: number): readonly string[] {
  const kind = gateway === null ? 'The kind of the gateway is not recognized.' : `The gateway is ${gateway}.`;
  return [
    ...(gateway === undefined ? [] : outdent(printable(kind), width)),
    ...(notKept.length === 0 ? [] : ['Declared fields that the gateway does not keep']),
    ...notKept.flatMap(({ key, problem }) => hang('  - ', `${quoted(key)}: ${printable(problem)}`, width)),
  ];
}
