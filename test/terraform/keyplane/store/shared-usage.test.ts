import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type KeyId, keyId, type ObservedKey, type UsageEntry } from '../../../../src/domain/index.ts';
import { sharedUsage } from '../../../../src/terraform/keyplane/store/shared-usage.ts';

const entries = fc.array(
  fc.record({ id: fc.constantFrom(undefined, 1, 2, 3), spent: fc.integer({ min: -5, max: 50 }) }),
  { maxLength: 40 },
);

const pagesOf = async (usage: AsyncIterable<readonly UsageEntry[]>) => {
  const pages: (readonly UsageEntry[])[] = [];
  for await (const page of usage) pages.push(page);
  return pages;
};

it('shows one key all of its entries, each once, and how far back each page reaches', async () => {
  await fc.assert(
    fc.asyncProperty(entries, fc.integer({ min: 1, max: 9 }), async (drawn, size) => {
      const log = drawn.map(({ id, spent }, index) => ({
        identity: `${index}`,
        at: 1000 - index,
        keyId: id && keyId(id),
        keyName: `k${(index % 3) + 1}`,
        spent,
      })) as unknown as readonly UsageEntry[];
      async function* read() {
        for (let at = 0; at < log.length; at += size) yield log.slice(at, at + size);
      }
      const shared = sharedUsage(read);
      const key = { id: 2 as KeyId, name: 'k2' } as ObservedKey;
      const isOwn = (entry: UsageEntry): boolean => (entry.keyId ?? entry.keyName) === (entry.keyId ? 2 : 'k2');
      const [whole, about] = [await pagesOf(shared.all()), await pagesOf(shared.of(key))];
      expect(
        about
          .flat()
          .filter(isOwn)
          .map(({ identity }) => identity)
          .sort(),
      ).toEqual(
        log
          .filter(isOwn)
          .map(({ identity }) => identity)
          .sort(),
      );
      const reach = (pages: readonly (readonly UsageEntry[])[]) =>
        pages.map((page) => [Math.min(...page.map(({ at }) => at)), Math.max(...page.map(({ at }) => at))]);
      expect([reach(about), about[0]]).toEqual([reach(whole), whole[0]]);
    }),
  );
});
