/** What all modules have in common that ask for vectors. Each sends a second request, to compare. */
export const VECTOR_DEFAULTS = {
  schedule: 'cheap',
  pays: true,
  paidRequests: 2,
  isAsynchronous: false,
  wantsUsableKey: true,
  timeoutMs: 60_000,
  expects: ['dimensions', 'minDimensions', 'maxLatencyMs', 'maxFirstByteMs', 'maxCost'],
} as const;
