import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import {
  CHECK_MODULES,
  type CheckModule,
  type CheckResult,
  type CheckSpec,
  mustBeRejected,
  Secret,
} from '../../src/domain/index.ts';
import { type Gateway, openCallbackReceiver, openGateway } from '../../src/gateway/index.ts';
import { openFrontProxy } from './enforcement/front-proxy.ts';
import { ASKING, type Detection, HONEST, INJECTED_FAILURES } from './injected-failures-table.ts';
import { openStage, type Stage } from './stage.ts';

const MODULES = Object.values(CHECK_MODULES).flat();

let deployed: Stage;
/** Deployed gateways count no tokens. */
let counting: Stage;
const stageOf = (module: CheckModule): Stage => (module === 'count-tokens' ? counting : deployed);
let elsewhere: Gateway;
let proxy: Awaited<ReturnType<typeof openFrontProxy>>;
let behindProxy: Gateway;
beforeAll(async () => {
  deployed = await openStage('deployed');
  counting = await openStage('contract');
  const accessToken = new Secret('token-of-anna');
  elsewhere = openGateway({ url: deployed.url, userId: 42, accessToken, sourceAddress: '127.0.0.2' });
  proxy = await openFrontProxy(deployed.url, { forClient: () => ({}) });
  behindProxy = openGateway({ url: proxy.url, userId: 42, accessToken, clock: deployed.clock });
});
afterEach(async () => {
  for (const stage of [deployed, counting]) await stage.control.clearFaults();
});
afterAll(async () => {
  await elsewhere.close();
  await behindProxy.close();
  await proxy.close();
  await deployed.close();
  await counting.close();
});

type Asked = Omit<Detection, 'by'> & { readonly spec?: Partial<CheckSpec> };

async function run(module: CheckModule, { spec, key, needs }: Asked): Promise<CheckResult> {
  const { inference } = needs === 'frontProxy' ? behindProxy : elsewhere;
  const alternateRoute = { inference, description: 'from 127.0.0.2', address: '127.0.0.2' };
  const receiver = needs === 'receiver' ? await openCallbackReceiver() : undefined;
  const more = {
    ...(key === undefined ? {} : { key }),
    ...(needs === 'alternateRoute' || needs === 'frontProxy' ? { alternateRoute } : {}),
    receiver,
  };
  try {
    return await stageOf(module).run({ module, ...spec }, more);
  } finally {
    await receiver?.close();
  }
}

/** The verdict or the code of the fault, then each claim that does not hold. */
const why = ({ verdict, code, findings }: CheckResult): readonly string[] => [
  code ?? verdict,
  ...findings.filter(({ holds }) => !holds).map(({ claim }) => claim),
];

describe('on a gateway that works', () => {
  test.each(MODULES)('%s passes', async (module) => {
    const result = await run(module, HONEST[module]);
    expect([result.verdict, result.reason]).toEqual(['passed', undefined]);
  });
});

const requestsOf = ({ exchanges }: CheckResult) => exchanges.map(({ request }) => JSON.stringify(request));

test.each(ASKING)('%s sends nothing that an earlier attempt sent, so that no cache has an answer', async (module) => {
  const first = requestsOf(await run(module, HONEST[module]));
  const second = requestsOf(await run(module, HONEST[module]));
  expect([second.length, second.filter((request) => first.includes(request))]).toEqual([first.length, []]);
});

describe.each(INJECTED_FAILURES)('$name', ({ name, fault, found, elsewhere: reason }) => {
  test.each(Object.entries(found) as [CheckModule, Detection][])('%s detects it', async (module, cell) => {
    const spec = { name: `${module}: ${name}`, ...HONEST[module].spec, ...cell.spec };
    await expectHonest(module, { ...HONEST[module], ...cell, spec });
    await stageOf(module).control.script({ ...methodOf(module), path: '/v1*', ...fault });
    const running = run(module, { ...HONEST[module], ...cell, spec });
    if (isHeld(fault)) await letTimePass(stageOf(module));
    const result = await running;
    expect(result.verdict).not.toBe('passed');
    expect(why(result)).toContainEqual(expect.stringMatching(cell.by));
  });

  it('concerns every module, or has a reason why not', () => {
    const others = MODULES.filter((module) => !Object.hasOwn(found, module));
    expect(others.length === 0 || reason !== '').toBe(true);
  });
});

const honest = new Set<string>();

/** Checks once that what is asked passes without a failure. */
async function expectHonest(module: CheckModule, asked: Asked): Promise<void> {
  const { spec: { name: _, ...spec } = {}, key, needs } = asked;
  const question = JSON.stringify({ module, spec, key, needs });
  if (honest.has(question)) return;
  const { verdict } = await run(module, asked);
  expect(verdict, 'without the failure').toBe('passed');
  honest.add(question);
}

const isHeld = (fault: object): boolean => (fault as { kind?: unknown }).kind === 'hold';

/** Holds the request while the clock of the test advances by some seconds. */
async function letTimePass(stage: Stage): Promise<void> {
  await stage.control.waitForHeld();
  stage.advance(5000);
  await stage.control.release();
}

/** Checks of rejections use both methods; for the others only POST requests matter. */
const methodOf = (module: CheckModule): object => (mustBeRejected(module) ? {} : { method: 'POST' });

it('has a failure that it detects for every module', () => {
  const found = new Set(INJECTED_FAILURES.flatMap((failure) => Object.keys(failure.found)));
  expect(MODULES.filter((module) => !found.has(module))).toEqual([]);
});
