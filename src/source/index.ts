/** Texts that people write: their files, what is wrong with them, and how much of them may be shown. */
export { MOST_BYTES, readBounded, readBoundedText, readRegularFile } from './bounded.ts';
export { confinedFile, confinedPath, isWithin, OutsideFolder, refuseStrayLinks } from './confined.ts';
export { type Collected, collect, type Report, type SourceDiagnostic } from './diagnostics.ts';
export { displayName, type FileContext, isMissing, reportUnreadable } from './files.ts';
export { isMountPoint, refuseMountPoint } from './mount-point.ts';
export { quoted, shorten } from './quote.ts';
export { blankSecretLines, blankSecrets, holdsSecret, isSecretField } from './redact.ts';
export { reportUnknown, suggestion } from './unknown-name.ts';
