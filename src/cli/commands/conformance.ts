import { resolve } from 'node:path';
import {
  type BundledExchange,
  type ConformanceLevel,
  examineConformance,
  exchangeOf,
  type GatewayProfile,
  LEVELS,
  type ProbeSpending,
  profileOf,
} from '../../conformance/index.ts';
import { writeWhole } from '../../disk/index.ts';
import { Fault, quotaFromUsd, tryParseDecimal } from '../../domain/index.ts';
import type { AnyRequest, AnyResponse, Gateway } from '../../gateway/index.ts';
import {
  type ConformancePage,
  conformanceData,
  renderConformance,
  renderConformanceHtml,
  renderConformanceJunit,
  renderConformanceMarkdown,
} from '../output/conformance/conformance.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import type { Context, Format, Result } from '../program/command.ts';
import { text } from '../program/option.ts';
import { withGateway } from '../session/connect.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';
import { maxCost } from './checking/options.ts';

const DEFAULT_COST = '0.05';

const levelOf = ({ given }: Context): ConformanceLevel =>
  LEVELS.find((level) => level === text(given, 'level')) ?? 'read';

/** @throws Fault `usage.invalid` */
function refuseWithoutModel(context: Context, level: ConformanceLevel): void {
  if (level !== 'inference' || text(context.given, 'model') !== undefined) return;
  throw new Fault('usage.invalid', '--level inference requires --model.', {
    hint: 'Name a cheap model of the account, such as --model gpt-4o-mini.',
  });
}

async function spendingOf(context: Context, { system }: Gateway): Promise<ProbeSpending | undefined> {
  const model = text(context.given, 'model');
  if (model === undefined) return undefined;
  const usd = maxCost(context) ?? tryParseDecimal(DEFAULT_COST);
  if (usd === undefined) throw new Error(`${DEFAULT_COST} cannot be read as an amount`);
  return { model, quota: quotaFromUsd(usd, (await system.status()).quotaPerUnit) };
}

/** The address may be the argument: `keyplane conformance https://…`. */
function withAddress(context: Context): Context {
  const [url] = context.arguments;
  return url === undefined ? context : { ...context, given: new Map([...context.given, ['url', [url]]]) };
}

const RENDERERS: Readonly<Partial<Record<Format, (page: ConformancePage) => string>>> = {
  markdown: renderConformanceMarkdown,
  junit: renderConformanceJunit,
  html: renderConformanceHtml,
};

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Asks a gateway how it answers where gateways of its family differ. */
export async function conformanceAction(original: Context): Promise<Result> {
  const context = withAddress(original);
  const level = levelOf(context);
  refuseWithoutModel(context, level);
  const manifest = await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, async (gateway, { url, userId }) => {
    // On a gateway that ignores the user ID, keys of somebody else would be made.
    if (level !== 'read') await gateway.store.verifyAccount();
    const { io, interruption } = context;
    const exchanges: BundledExchange[] = [];
    const ask = async (question: AnyRequest): Promise<AnyResponse> => {
      const answer = await gateway.ask(question);
      exchanges.push(exchangeOf(question, answer));
      return answer;
    };
    const startedAt = io.clock() * 1000;
    const report = await examineConformance({
      ask,
      userId,
      level,
      spending: await spendingOf(context, gateway),
      nonce: Math.floor(io.random() * 0xffffff)
        .toString(16)
        .padStart(6, '0'),
      steady: io.steady,
      sleep: (ms, signal) => io.pause(ms / 1000, signal),
      signal: interruption.signal,
    });
    const page: ConformancePage = { url, startedAt, report };
    await writeFiles(context, profileOf(level, report.findings), {
      version: context.tree.version(),
      findings: report.findings,
      exchanges,
    });
    const isWrong = report.findings.some(
      ({ verdict }) => verdict === 'unknown-deviation' || verdict === 'engine-error',
    );
    return {
      exit: interruption.signal.aborted
        ? EXIT.interrupted
        : isWrong || report.leftovers.length > 0
          ? EXIT.checksFailed
          : EXIT.done,
      data: plain(conformanceData(page)),
      text: RENDERERS[context.format]?.(page) ?? renderConformance(page, context.paint.out, context.width.out),
    };
  });
}

/** Neither file holds a name, an address or a credential of the account. */
async function writeFiles({ given, io }: Context, profile: GatewayProfile, bundle: object): Promise<void> {
  const [profileFile, bundleFile] = [text(given, 'profile'), text(given, 'bundle')];
  if (profileFile !== undefined) await writeWhole(resolve(io.cwd, profileFile), json(profile));
  if (bundleFile !== undefined) await writeWhole(resolve(io.cwd, bundleFile), json(bundle));
}
