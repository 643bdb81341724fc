/** The facts of an image, video or audio file, read from its bytes. A field that the format does not have is absent. */
export interface MediaFacts {
  readonly kind: 'image' | 'video' | 'audio';
  /** In lower case, as in its media type: `png`, `jpeg`, `webp`, `heic`, `heif`, `bmp`, `tiff`, `gif`, `mp4`, `mov`, `wav`, `mp3`. */
  readonly format: string;
  readonly bytes: number;
  /** Pixels, as shown: after any rotation that the file asks for. */
  readonly width?: number;
  readonly height?: number;
  readonly seconds?: number;
  /** Frames a second, on the average. */
  readonly fps?: number;
  /** `h264`, `h265`, or another in lower case; null: the file has no such track. */
  readonly videoCodec?: string | null;
  /** `aac`, `mp3`, or another in lower case; null: the file has no such track. */
  readonly audioCodec?: string | null;
}
