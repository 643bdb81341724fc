import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import {
  CHECK_MODULES,
  type CheckModule,
  type CheckResult,
  type CheckSpec,
  kindOfModule,
  Secret,
} from '../../src/domain/index.ts';
import { type Gateway, openCallbackReceiver, openGateway } from '../../src/gateway/index.ts';
import { type Found, HONEST, SABOTAGES } from './sabotage-table.ts';
import { openStage, type Stage } from './stage.ts';

const MODULES = Object.values(CHECK_MODULES).flat();

let stage: Stage;
let elsewhere: Gateway;
beforeAll(async () => {
  stage = await openStage('deployed');
  const accessToken = new Secret('token-of-anna');
  elsewhere = openGateway({ url: stage.url, userId: 42, accessToken, sourceAddress: '127.0.0.2' });
});
afterEach(() => stage.control.clearFaults());
afterAll(async () => {
  await elsewhere.close();
  await stage.close();
});

type Asked = Omit<Found, 'by'> & { readonly spec?: Partial<CheckSpec> };

async function run(module: CheckModule, { spec, key, needs }: Asked): Promise<CheckResult> {
  const alternateRoute = { inference: elsewhere.inference, description: 'from 127.0.0.2', address: '127.0.0.2' };
  const receiver = needs === 'receiver' ? await openCallbackReceiver() : undefined;
  const more = {
    ...(key === undefined ? {} : { key }),
    ...(needs === 'alternateRoute' ? { alternateRoute } : {}),
    receiver,
  };
  try {
    return await stage.run({ module, ...spec }, more);
  } finally {
    await receiver?.close();
  }
}

/** What the check says of it: the verdict or the fault, then each claim that does not hold. */
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

describe.each(SABOTAGES)('$name', ({ name, fault, found, elsewhere: reason }) => {
  test.each(Object.entries(found) as [CheckModule, Found][])('%s finds it', async (module, cell) => {
    const spec = { name: `${module}: ${name}`, ...HONEST[module].spec, ...cell.spec };
    const { verdict } = await run(module, { ...HONEST[module], ...cell, spec });
    expect(verdict, 'without the sabotage').toBe('passed');
    await stage.control.script({ ...methodOf(module), path: '/v1*', ...fault });
    const running = run(module, { ...HONEST[module], ...cell, spec });
    if (isHeld(fault)) await letTimePass();
    const result = await running;
    expect(result.verdict).not.toBe('passed');
    expect(why(result)).toContainEqual(expect.stringMatching(cell.by));
  });

  it('concerns every module, or says why not', () => {
    const others = MODULES.filter((module) => !Object.hasOwn(found, module));
    expect(others.length === 0 || reason !== '').toBe(true);
  });
});

const isHeld = (fault: object): boolean => (fault as { kind?: unknown }).kind === 'hold';

/** The request is held until some seconds have gone by: nobody waits for them. */
async function letTimePass(): Promise<void> {
  await stage.control.waitForHeld();
  stage.advance(5000);
  await stage.control.release();
}

/** Refusals are asked for with both methods; of everything else only what is sent costs. */
const methodOf = (module: CheckModule): object => (kindOfModule(module) === 'enforcement' ? {} : { method: 'POST' });

it('leaves no module without a sabotage that it finds', () => {
  const found = new Set(SABOTAGES.flatMap((sabotage) => Object.keys(sabotage.found)));
  expect(MODULES.filter((module) => !found.has(module))).toEqual([]);
});
