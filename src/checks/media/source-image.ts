import type { Upload } from '../../wire/index.ts';

/** A blue disc and a red rectangle on sand: PNG, 512 × 384 pixels, not square, so that an edit shows its proportions. */
const BASE64 = [
  'iVBORw0KGgoAAAANSUhEUgAAAgAAAAGAAgMAAACmTjIsAAAADFBMVEUqb5f048HRSVuar67zY7+0AAAACXBIWXMAAAsTAAALEwEAmpwYAAADnE',
  'lEQVR42u3dTW6cQBCG4UaIJfJqjsI6HIEFIzYcgnPlFFyCe+QAkZwsnMSTTGa6WlV8ceettaV51GD8Q9VX6SquBAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD4MIDlNX2v10MF+Jre6pMEsOzpZ7XH+YD3n+8tyALcfL6zIAewpd/q5VzAmv6o4UzAku7UcSLgyz',
  '3Ay3mANd2t4TTAfh/QngX4ywH4HUEqOwC/I0iFB+B2BKnwANyOINmfAT/qcgJgewTob770c2aZAA8P4LfHYQhgfQwYwgH7Y0AbDXhyBW6vQQRg',
  'egboggH7M0AbC3h6BW6uQQBgeg7oQgH7c0AbCci4Au+vgT9gzQEMgYAtB9AHAnI+/91N4A6YswC/fia7A6Y8QBcGGPMATRggZVYUYM4FXIIAUy',
  '6gCwKMuYA+CLDnAtoYwJKy6wgBrPmAIQSw5QP6EMCYD2hCAMlQEYDFAjgCAKsFMAQAJgugCwCMFkATANgtgNYfYLoH3+5CV8BsA1zcAasNMLgD',
  'NhugdweMNkDjDthtgNYdkIzlDZitgMMZsFoBgzNgsgI6Z8BmBfTOgNEKaJwBuxXQOgNSKvg+dAQsdsDhCpjtgIsrYLUDBlfAZAd0roDNDuhdAa',
  'Md0LgCdjugrQuQUsmTyA+wlAAOR8BcArjUBFhLAIMjYCoBdI6A7UMCekfAWAJoagLsJYDWEZCKqiLAUgY46gHMZYBLPYC1DDDUA5jKAB0AN8BW',
  'BugBuAHGMkADoB7AXgZoAQBwA6TCAgAAAAAAAADUA+A3IgByAH8bAuB/RHIA/ymVA3hfwDsj3hvy7lj/+p4OCnkTi7yNR97IJG/loptO3tAob+',
  'mkq1bf2Cxv7ZY3t8vb++UDDvIRD/mQi37MZ1QPOslHveTDbvJxv0U98Cgf+dQPvY7qsV/54LN89Fs+/C4f/5cHIOgjIOQhGPIYEHkQijwKRh+G',
  's1nvweoCkeSRUPJQrPyboK81GE0eDScPx9PHA8oDEuURkXlPgrbmmFB5UKo8KlYelquPC5YHJssjo/Wh2fLYcHlwuj46Xh6eL18f8PgIjuu1/h',
  'US+iUa8jUi+kUq8lUy+mU68nVC+oVK8pVSdx7I/VW8Vuz63y1Wk6+Wu8qX6/0D6wWvbHgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAqgV8A2mkMltntUYDAAAAAElFTkSuQmCC',
].join('');

/** The image that is edited by default. */
export const SOURCE_URI = `data:image/png;base64,${BASE64}`;

/** The same image as a file of a form. */
export const sourceUpload = (): Upload => ({
  name: 'source.png',
  bytes: new Uint8Array(Buffer.from(BASE64, 'base64')),
});
