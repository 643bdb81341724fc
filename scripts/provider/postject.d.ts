declare module 'postject' {
  /** Writes a resource into an executable. */
  export function inject(
    file: string,
    resource: string,
    blob: Buffer,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>;
}
