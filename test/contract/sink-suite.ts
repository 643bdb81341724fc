import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyName, Secret } from '../../src/domain/index.ts';
import { deliverSecret, type SecretSink, type SinkMetadata } from '../../src/reconcile/index.ts';

/** A sink, and the eyes and hands of other people on what it holds. */
export interface SinkBody {
  /** Opens the same sink again, as another run does. */
  readonly open: (options?: { readonly adopt?: boolean }) => SecretSink;
  /** The value as a reader of the sink gets it, by other means than the sink itself; undefined: there is none. */
  readonly readByOthers: () => Promise<string | undefined>;
  /** Makes an entry that Keyplane did not write. */
  readonly writeByOthers: (value: string) => Promise<void>;
  /** Everything that the sink keeps where it is not secret: tags, labels, fingerprints, claims. */
  readonly readPublic: () => Promise<string>;
  /** The writes that reached the sink so far. */
  readonly writes: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface SinkTraits {
  readonly title: string;
  readonly start: () => Promise<SinkBody>;
  /** The value can be read back. */
  readonly isReadable: boolean;
  /** A change that somebody else makes to the value is noticed. */
  readonly seesOverwrites: boolean;
  /** An entry of somebody else differs visibly from one that Keyplane wrote. */
  readonly knowsOwner: boolean;
  /** Default: true. */
  readonly canRemove?: boolean;
}

export const FIRST = new Secret(`sk-${'a1'.repeat(24)}`);
export const SECOND = new Secret(`sk-${'b2'.repeat(24)}`);
export const METADATA: SinkMetadata = {
  key: keyName('prod-checkout'),
  owner: 'team-search',
  labels: { team: 'search' },
};

/** The promises of every sink. */
export function describeSink({
  title,
  start,
  isReadable,
  seesOverwrites,
  knowsOwner,
  canRemove = true,
}: SinkTraits): void {
  describe(`the sink ${title}`, () => {
    let body: SinkBody;
    beforeEach(async () => {
      body = await start();
    });
    afterEach(() => body.close());

    it('is absent before the first write, and current after it', async () => {
      const sink = body.open();
      expect([await sink.probe(), await sink.compare(FIRST)]).toEqual([
        'absent',
        isReadable || knowsOwner ? 'absent' : 'unknown',
      ]);
      expect(await sink.read()).toBeUndefined();
      await sink.write(FIRST, METADATA);
      const again = body.open();
      expect([await again.probe(), await again.compare(FIRST), await again.compare(SECOND)]).toEqual([
        'ours',
        'current',
        'other',
      ]);
      expect(await body.readByOthers()).toBe(FIRST.reveal());
    });

    it.each([
      '',
      ' ',
      'sk-',
      'sk- ',
      'sk-\n',
      'sk-abc***',
      'sk-abcd**********wxyz',
      'sk-abcd…wxyz',
      'sk-abcd...wxyz',
      '***',
    ])('keeps what it holds where a gateway reveals %j, and takes it for no change', async (text) => {
      const value = new Secret(text);
      await body.open().write(FIRST, METADATA);
      const writes = await body.writes();
      const sink = body.open();
      const attempts = [
        () => sink.compare(value),
        () => sink.write(value, METADATA),
        () => deliverSecret(sink, value, { metadata: METADATA }),
      ];
      // One after the other: a rejection that nobody awaits yet ends the whole run.
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'sink.refused' });
      expect([await body.readByOthers(), await body.writes()]).toEqual([FIRST.reveal(), writes]);
      expect(await body.open().compare(FIRST)).toBe('current');
    });

    it('returns the value that it holds where it can be read', async () => {
      await body.open().write(FIRST, METADATA);
      expect((await body.open().read())?.reveal()).toBe(isReadable ? FIRST.reveal() : undefined);
    });

    it('replaces the secret, and a repeated write changes nothing', async () => {
      await body.open().write(FIRST, METADATA);
      await body.open().write(SECOND, METADATA);
      await body.open().write(SECOND, METADATA);
      expect(await body.readByOthers()).toBe(SECOND.reveal());
      expect(await body.open().compare(SECOND)).toBe('current');
    });

    it('is not written to when it holds the secret: no request over two further deliveries', async () => {
      await deliverSecret(body.open(), FIRST, { metadata: METADATA });
      const writes = await body.writes();
      for (let run = 0; run < 2; run += 1) {
        expect((await deliverSecret(body.open(), FIRST, { metadata: METADATA })).written).toBe(false);
      }
      expect(await body.writes()).toBe(writes);
    });

    it('does not reveal the secret next to it', async () => {
      await body.open().write(FIRST, METADATA);
      const text = await body.readPublic();
      for (const part of [FIRST.reveal(), FIRST.reveal().slice(3, 15)]) expect(text).not.toContain(part);
    });

    if (canRemove) {
      it('removes its entry, and removing again changes nothing', async () => {
        await body.open().write(FIRST, METADATA);
        await body.open().remove();
        await body.open().remove();
        expect(await body.readByOthers()).toBeUndefined();
      });
    }

    if (seesOverwrites) {
      it('notices that somebody overwrote the secret, and is written to again', async () => {
        await body.open().write(FIRST, METADATA);
        await body.writeByOthers('somebody-else');
        expect(await body.open().compare(FIRST)).toBe('other');
        await deliverSecret(body.open({ adopt: true }), FIRST, { metadata: METADATA });
        expect(await body.readByOthers()).toBe(FIRST.reveal());
      });
    }

    if (knowsOwner) {
      it('refuses the entry of somebody else, unless it is adopted', async () => {
        await body.writeByOthers('somebody-else');
        expect(await body.open().probe()).toBe('foreign');
        await expect(deliverSecret(body.open(), FIRST, { metadata: METADATA })).rejects.toMatchObject({
          code: 'sink.foreign',
        });
        expect(await body.readByOthers()).toBe('somebody-else');
        await deliverSecret(body.open({ adopt: true }), FIRST, { metadata: METADATA });
        expect(await body.readByOthers()).toBe(FIRST.reveal());
        expect(await body.open().probe()).toBe('ours');
      });
    }
  });
}
