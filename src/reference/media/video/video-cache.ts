/** Videos and last frames up to this size are kept. Others are made again, byte for byte the same. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 32;

/** Keeps the files that were used last. */
export class VideoCache {
  /** Oldest use first. */
  readonly #files = new Map<string, Promise<Uint8Array>>();

  /** Returns a kept file, or makes it. Requests that arrive while it is being made wait for the same one. */
  async getOrMake(name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const file = this.#files.get(name) ?? make();
    this.#files.delete(name);
    this.#files.set(name, file);
    try {
      return await file;
    } catch (thrown) {
      this.#files.delete(name);
      throw thrown;
    } finally {
      void this.#evict();
    }
  }

  async #evict(): Promise<void> {
    const sizes = await Promise.all(
      [...this.#files].map(async ([name, file]) => ({ name, size: (await file.catch(() => new Uint8Array())).length })),
    );
    let bytes = sizes.reduce((sum, { size }) => sum + size, 0);
    for (const { name, size } of sizes) {
      if (bytes <= MAX_BYTES && this.#files.size <= MAX_FILES) return;
      this.#files.delete(name);
      bytes -= size;
    }
  }
}
