/** Decodes Base64 that comes in parts. `undefined`: it is none. */
export interface Base64Reader {
  feed(text: string): Uint8Array | undefined;
  /** What was left over. */
  end(): Uint8Array | undefined;
}

const ALPHABET = /^[A-Za-z0-9+/]*$/;
const NOTHING = new Uint8Array(0);

/** Strict but for line breaks and missing padding: what was damaged on its way shall be noticed. */
export function openBase64Reader(): Base64Reader {
  let rest = '';
  let padding = '';
  return {
    feed(text) {
      const given = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
      const from = given.indexOf('=');
      const data = from < 0 ? given : given.slice(0, from);
      if (!ALPHABET.test(data) || (data !== '' && padding !== '')) return undefined;
      padding += from < 0 ? '' : given.slice(from);
      if (!/^={0,2}$/.test(padding)) return undefined;
      const all = rest + data;
      const whole = all.length - (all.length % 4);
      rest = all.slice(whole);
      return whole === 0 ? NOTHING : Buffer.from(all.slice(0, whole), 'base64');
    },
    end() {
      const fits = padding === '' || rest.length + padding.length === 4;
      return rest.length === 1 || !fits ? undefined : Buffer.from(rest, 'base64');
    },
  };
}
