import { describe, expect, it } from 'vitest';
import { asFault, FAULTS, Fault, type FaultCode, keyId, maskOf } from '../../src/domain/index.ts';

describe('a fault', () => {
  it.each(Object.keys(FAULTS) as FaultCode[])('%s is documented in a sentence', (code) => {
    expect(FAULTS[code].doc).toMatch(/^[A-Z].*\.$/);
  });

  it('passes through asFault as it is', () => {
    const fault = new Fault('plan.stale', 'moved', { hint: 'plan again', detail: { name: 'a' } });
    expect(asFault(fault)).toBe(fault);
    expect(fault).toMatchObject({ code: 'plan.stale', hint: 'plan again', detail: { name: 'a' } });
  });

  it('has neither a cause nor a detail unless it is given one', () => {
    const fault = new Fault('plan.stale', 'moved');
    expect(fault).toMatchObject({ name: 'KeyplaneError', message: 'moved', detail: {} });
    expect('cause' in fault).toBe(false);
    expect(new Fault('plan.stale', 'moved', { cause: fault }).cause).toBe(fault);
  });

  it.each([new TypeError('boom'), 'boom'])('is a defect of ours when anything else was thrown: %s', (thrown) => {
    const fault = asFault(thrown);
    expect(fault).toMatchObject({
      code: 'tool.defect',
      message: 'boom',
      cause: thrown,
      hint: 'This is a bug in Keyplane. Please report it.',
    });
  });
});

describe('a key id', () => {
  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])('is not %s', (value) => {
    expect(() => keyId(value)).toThrow(new RangeError(`not a key id: ${value}`));
  });

  it('is a whole number above 0', () => {
    expect(keyId(7)).toBe(7);
  });
});

describe('the mask of a key', () => {
  it('is shown as the gateway shows it, unless it hides nothing', () => {
    expect(maskOf({ masked: 'abcd****wxyz' })).toBe('abcd****wxyz');
    expect(maskOf({ masked: 'sk-whole' })).toBe('(hidden)');
  });
});
