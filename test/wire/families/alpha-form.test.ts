import { describe, expect, it } from 'vitest';
import { ALPHA_EDIT, alphaForm, parseAlphaForm, renderPath, requestDiagnostics } from '../../../src/wire/index.ts';

const cat = { name: 'cat.png', bytes: new Uint8Array([1]) };
const dog = { name: 'dog.png', bytes: new Uint8Array([2]) };
const mask = { name: 'mask.png', bytes: new Uint8Array([3]) };
const TEXTS = { model: 'alpha-image-1', prompt: '42' };
const pathsOf = (body: unknown) => requestDiagnostics(ALPHA_EDIT, body).map(({ path }) => renderPath(path));

describe('the form of an edit of family alpha', () => {
  it('has one file as image, and its texts before its files', () => {
    expect(alphaForm({ image: [cat], mask, ...TEXTS, n: 2, stream: false })).toEqual([
      ['model', 'alpha-image-1'],
      ['prompt', '42'],
      ['n', '2'],
      ['stream', 'false'],
      ['image', cat],
      ['mask', mask],
    ]);
  });

  it('repeats image[] for several files, in their order', () => {
    expect(alphaForm({ ...TEXTS, image: [dog, cat] }).slice(2)).toEqual([
      ['image[]', dog],
      ['image[]', cat],
    ]);
  });

  it('has no entry for what is absent, and JSON for values other than text', () => {
    const body = { ...TEXTS, image: [cat], user: undefined, nothing: null, more: { a: [1] } };
    expect(alphaForm(body).slice(2)).toEqual([
      ['more', '{"a":[1]}'],
      ['image', cat],
    ]);
  });
});

describe('a form that is read', () => {
  it('is the body that it was made from', () => {
    const body = {
      ...TEXTS,
      n: 10,
      size: '1024x1024',
      output_format: 'webp' as const,
      output_compression: 0,
      stream: true,
      partial_images: 3,
      image: [cat, dog],
      mask,
    };
    const entries = alphaForm(body);
    const fields = Object.fromEntries(
      entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    const files = entries.flatMap(([field, file]) => (typeof file === 'string' ? [] : [{ field, file }]));
    expect(parseAlphaForm(fields, files)).toEqual(body);
    expect(pathsOf(body)).toEqual([]);
  });

  it.each([['image'], ['image[]'], ['image[0]']])('takes its images from %s', (field) => {
    expect(parseAlphaForm(TEXTS, [{ field, file: cat }])).toEqual({ ...TEXTS, image: [cat] });
  });

  it('keeps the order of its images, whichever way they are named', () => {
    const files = [
      { field: 'image[]', file: dog },
      { field: 'mask', file: mask },
      { field: 'image', file: cat },
    ];
    expect(parseAlphaForm(TEXTS, files)).toEqual({ ...TEXTS, image: [dog, cat], mask });
  });

  it.each([
    [{ n: 'two' }, 'n'],
    [{ n: '' }, 'n'],
    [{ n: '1.5' }, 'n'],
    [{ n: '11' }, 'n'],
    [{ n: '-1' }, 'n'],
    [{ stream: 'yes' }, 'stream'],
    [{ output_format: 'jpeg', output_compression: '1e2' }, 'output_compression'],
    [{ image: 'https://example.com/a.png' }, 'image[1]'],
    [{ 'image[]': '{"url":"https://example.com/a.png"}' }, 'image[1]'],
    [{ mask: 'mask.png' }, 'mask'],
    [{ images: '[]' }, 'images'],
  ])('is refused with %j', (fields, path) => {
    expect(pathsOf(parseAlphaForm({ ...TEXTS, ...fields }, [{ field: 'image', file: cat }]))).toEqual([path]);
  });

  it.each([
    ['two masks', ['mask', 'mask'], 'mask'],
    ['files that are called images', ['images'], 'images'],
    ['a file for a text', ['user'], 'user'],
  ])('is refused with %s', (_, fields, path) => {
    const files = fields.map((field) => ({ field, file: mask }));
    expect(pathsOf(parseAlphaForm(TEXTS, [{ field: 'image', file: cat }, ...files]))).toEqual([path]);
  });

  it('is refused without an image', () => {
    expect(pathsOf(parseAlphaForm(TEXTS, []))).toEqual(['image']);
  });

  it('lets no field pass for one of its object’s own', () => {
    const body = parseAlphaForm(JSON.parse('{"__proto__":"x","model":"m"}'), []);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(body.model).toBe('m');
  });
});
