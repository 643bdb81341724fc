import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  isObject,
  isUnknown,
  isWhollyKnown,
  type TerraformObject,
  type TerraformValue,
} from '../../../src/terraform/codec/value.ts';
import { PROVIDER } from '../../../src/terraform/protocol/services.ts';
import { type AttributeTable, attributeType } from '../../../src/terraform/provider/schema.ts';
import { BLOCKS, type BlockCalls, blocksOf, ERROR } from './calls.ts';
import { bytes, bytesOf, DEFECT, type OpenedProvider, openProvider } from './open-provider.ts';
import { type AnyConfig, singleChanges, valuesOf } from './values.ts';

/** Is there a null element in a list, a set or a map? The attributes of objects may be null. */
function hasNullElement(value: TerraformValue): boolean {
  const elements = value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : [];
  const inner = isObject(value) ? Object.values(value) : elements;
  return elements.includes(null) || inner.some(hasNullElement);
}

/** The error that follows from the schema alone, if there is one. */
function expectedError({ attribute, name, value }: AnyConfig): string | undefined {
  if (attribute.set === 'computed') return value === null ? undefined : `\`${name}\` cannot be set: read-only`;
  if (value === null) return attribute.set === 'required' ? `\`${name}\` must not be null` : undefined;
  const parts = 'nesting' in attribute && isObject(value) ? Object.entries(attribute.attributes) : [];
  const missing = parts.find(([part, { set }]) => set === 'required' && isObject(value) && value[part] === null);
  if (missing) return `\`${name}.${missing[0]}\` must not be null`;
  return hasNullElement(value) ? 'must not contain null' : undefined;
}

const anyConfig = (attributes: AttributeTable, valid: TerraformObject): fc.Arbitrary<TerraformObject> =>
  fc.record(
    Object.fromEntries(
      Object.entries(attributes).map(([name, attribute]) => [
        name,
        fc.oneof(
          // A read-only value ends everything at validation.
          { weight: attribute.set === 'computed' ? 50 : 3, arbitrary: fc.constant(valid[name] ?? null) },
          { weight: 1, arbitrary: fc.constantFrom(...valuesOf(attributeType(attribute))) },
        ),
      ]),
    ),
  );

/** Gives the provider every attribute with each kind of value, and as many random configurations of each block. */
export function describeConfigs(numRuns: number): void {
  let opened: OpenedProvider;
  let blocks: Readonly<Record<string, BlockCalls>>;
  beforeAll(async () => {
    opened = await openProvider();
    blocks = blocksOf(opened);
  });
  afterAll(() => opened?.close());

  const blockOf = async (title: string): Promise<BlockCalls> => {
    const { schema } = opened.provider;
    const config = bytesOf(schema, opened.settings);
    const { diagnostics } = await opened.ask(PROVIDER.configureProvider, { config });
    expect(diagnostics).toEqual([]);
    const block = blocks[title];
    if (block === undefined) throw new Error(`no block ${title}`);
    return block;
  };
  const defects = async ({ validate, use }: BlockCalls, config: TerraformObject) =>
    [...(await validate(config)), ...(await use(config))].filter(({ summary }) => summary === DEFECT);

  it('covers every block of the provider', () => {
    expect(Object.keys(blocks).sort()).toEqual([...BLOCKS].sort());
  });

  it('reaches no defect of the provider with any argument of a function', async () => {
    const { provider, ask } = opened;
    for (const [name, { parameters, variadic }] of Object.entries(provider.functions)) {
      const types = [...parameters, ...(variadic ? [variadic] : [])].map(({ type }) => type);
      for (const [position, type] of types.entries()) {
        for (const value of valuesOf(type).filter((each) => each !== null && isWhollyKnown(each))) {
          const sent = types.map((each, at) => bytes(at === position ? value : (valuesOf(each)[3] ?? null), each));
          const { error } = await ask(PROVIDER.callFunction, { name, arguments: sent });
          // The error of an argument names it, and a defect has no argument.
          if (error !== undefined) expect(typeof error.functionArgument, `${name}: ${String(value)}`).toBe('number');
        }
      }
    }
    expect(opened.broken).toEqual([]);
  });

  describe.each(BLOCKS)('any configuration of %s', (title) => {
    it('is rejected at validation for a read-only value, a missing value or a null element', async () => {
      const { schema, valid, validate } = await blockOf(title);
      expect(await validate(valid)).toEqual([]);
      for (const change of singleChanges(schema.attributes, valid)) {
        const summaries = (await validate(change.config)).map(({ summary }) => summary);
        const [expected, shown] = [expectedError(change), [change.name, change.value]];
        if (expected === undefined)
          expect(
            summaries.filter((each) => /read-only|null/.test(each)),
            shown.join(),
          ).toEqual([]);
        else expect(summaries.join('\n'), String(shown)).toContain(expected);
        if (isUnknown(change.value) && expected === undefined) expect(summaries, String(shown)).toEqual([]);
      }
    });

    it('reaches no defect of the provider with any value of one attribute', async () => {
      const block = await blockOf(title);
      const errors = (await block.use(block.valid)).filter(({ severity }) => severity === ERROR);
      expect(errors).toEqual([]);
      for (const { config, name, value } of singleChanges(block.schema.attributes, block.valid)) {
        expect(await defects(block, config), `${name} = ${String(value)}`).toEqual([]);
      }
      expect(opened.broken).toEqual([]);
    });

    it('reaches no defect of the provider with values of several attributes', async () => {
      const block = await blockOf(title);
      const property = fc.asyncProperty(anyConfig(block.schema.attributes, block.valid), async (config) => {
        expect(await defects(block, config)).toEqual([]);
      });
      await fc.assert(property, { seed: 20_261_123, numRuns });
      expect(opened.broken).toEqual([]);
    });
  });
}
