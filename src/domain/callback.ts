const ignore = (): void => {};

/** Returns a callback that cannot disturb the caller: what it throws is dropped, and so is what its promise rejects with. */
export const isolated =
  <A>(callback: ((about: A) => unknown) | undefined): ((about: A) => void) =>
  (about) => {
    try {
      Promise.resolve(callback?.(about)).catch(ignore);
    } catch {
      // A watcher does not decide about the result.
    }
  };
