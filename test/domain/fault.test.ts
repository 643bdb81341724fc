import { describe, expect, it } from 'vitest';
import { asFault, EXIT, FAULTS, Fault, type FaultCode, keyId } from '../../src/domain/index.ts';

describe('a fault', () => {
  it.each(Object.keys(FAULTS) as FaultCode[])('%s has an exit code of the table and a sentence about it', (code) => {
    expect(Object.values(EXIT)).toContain(new Fault(code, 'x').exit);
    expect(FAULTS[code].doc).toMatch(/^[A-Z].*\.$/);
  });

  it('never ends a command as if all were well', () => {
    const codes = Object.values(FAULTS).map((fault) => fault.exit as number);
    expect(codes.filter((code) => code === EXIT.done || code === EXIT.pending)).toEqual([]);
  });

  it('passes through asFault as it is', () => {
    const fault = new Fault('plan.stale', 'moved', { hint: 'plan again', detail: { name: 'a' } });
    expect(asFault(fault)).toBe(fault);
    expect(fault).toMatchObject({ code: 'plan.stale', exit: 4, hint: 'plan again', detail: { name: 'a' } });
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
