import { describe, expect, it } from 'vitest';
import { asFault, FAULTS, Fault, type FaultCode, keyId } from '../../src/domain/index.ts';

describe('a fault', () => {
  it.each(Object.keys(FAULTS) as FaultCode[])('%s is documented in a sentence', (code) => {
    expect(FAULTS[code].doc).toMatch(/^[A-Z].*\.$/);
  });

  it('passes through asFault as it is', () => {
    const fault = new Fault('plan.stale', 'moved', { hint: 'plan again', detail: { name: 'a' } });
    expect(asFault(fault)).toBe(fault);
    expect(fault).toMatchObject({ code: 'plan.stale', hint: 'plan again', detail: { name: 'a' } });
  });

  it.each([new TypeError('boom'), 'boom'])('is a defect of ours when anything else was thrown: %s', (thrown) => {
    const fault = asFault(thrown);
    expect(fault).toMatchObject({ code: 'tool.defect', message: 'boom', cause: thrown });
  });
});

describe('a key id', () => {
  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])('is not %s', (value) => {
    expect(() => keyId(value)).toThrow(RangeError);
  });

  it('is a whole number above 0', () => {
    expect(keyId(7)).toBe(7);
  });
});
