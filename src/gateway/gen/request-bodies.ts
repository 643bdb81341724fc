// Generated from src/wire/families by `npm run generate`. Do not edit.

/** A file of a form: its bytes, and the name that it is sent with. */
export interface RequestFile {
  /** The name of the file in the form. */
  readonly name?: string | undefined;
  /** Its content. */
  readonly bytes: Uint8Array;
}

/** Chat completions: `POST /v1/chat/completions` of the contract. */
export interface ChatBody {
  /** Not empty. */
  readonly model: string;
  /** Not empty. */
  readonly messages: readonly ({
    /** `user`, `system`, `assistant`, `tool`; `tool` answers a call of a tool. */
    readonly role: 'user' | 'system' | 'assistant' | 'tool';
    /** Required, except with `tool_calls` in a message of the assistant. */
    readonly content?: string | readonly ({
      readonly type: 'text';
      readonly text: string;
    } | {
      readonly type: 'file';
      readonly file: {
        /** Not empty. */
        readonly url: string;
      };
    })[] | null | undefined;
    /** The calls of tools, in a message of the assistant, as the gateway answered them. */
    readonly tool_calls?: readonly Readonly<Record<string, unknown>>[] | undefined;
    /** The call that a message of a tool answers. */
    readonly tool_call_id?: string | undefined;
  })[];
  /** 0–2. */
  readonly temperature?: number | undefined;
  /** Sends the response in parts, as it is made. */
  readonly stream?: boolean | undefined;
  /** At least 1. */
  readonly max_tokens?: number | undefined;
  /** The form of the answer: text, JSON, or JSON that satisfies a schema. */
  readonly response_format?: {
    readonly type: 'text';
  } | {
    readonly type: 'json_object';
  } | {
    readonly type: 'json_schema';
    readonly json_schema: {
      /** Not empty. */
      readonly name: string;
      /** JSON Schema. */
      readonly schema: Readonly<Record<string, unknown>>;
    };
  } | undefined;
  /** 0–1. */
  readonly top_p?: number | undefined;
  /** -2 to 2. */
  readonly frequency_penalty?: number | undefined;
  /** -2 to 2. */
  readonly presence_penalty?: number | undefined;
  /** Stop sequences. */
  readonly stop?: string | readonly (string)[] | undefined;
  /** The random seed. */
  readonly seed?: number | undefined;
  /** The identifier of the end user. */
  readonly user?: string | undefined;
  /** At least 1; default `1`. */
  readonly n?: number | undefined;
  /** Token ID to bias. */
  readonly logit_bias?: Readonly<Record<string, number>> | undefined;
  /** The tools that the model may call. */
  readonly tools?: readonly ({
    readonly type: 'function';
    readonly function: {
      /** Not empty. */
      readonly name: string;
      readonly description?: string | undefined;
      /** JSON Schema of an object. */
      readonly parameters?: Readonly<Record<string, unknown>> | undefined;
    };
  } | {
    readonly type: 'web_search_20250305';
    /** Not empty. */
    readonly name: string;
    /** At least 1. */
    readonly max_uses?: number | undefined;
  })[] | undefined;
  /** `auto`, `none`, `required`, or the name of one of `tools`; also as `{type: "function", function: {name}}`. */
  readonly tool_choice?: string | {
    readonly type: 'function';
    readonly function: {
      readonly name: string;
    };
  } | undefined;
  /** Enables thinking. */
  readonly enable_thinking?: boolean | undefined;
  /** Enables web search. */
  readonly enable_search?: boolean | undefined;
  /** The options of web search. */
  readonly search_options?: {
    /** `standard`, `pro`. */
    readonly search_strategy?: 'standard' | 'pro' | undefined;
    readonly forced_search?: boolean | undefined;
  } | undefined;
  /** The parameters of search. */
  readonly search_parameters?: {
    /** For example `auto`. */
    readonly mode?: string | undefined;
    readonly return_citations?: boolean | undefined;
  } | undefined;
  /** `low`, `medium`, `high`. */
  readonly reasoning_effort?: 'low' | 'medium' | 'high' | undefined;
  /** `include_usage`: the last chunk of a stream has the usage. */
  readonly stream_options?: { readonly include_usage?: boolean | undefined } | undefined;
}

/** Responses-style request: `POST /v1/responses` of the contract. */
export interface ResponsesBody {
  /** Not empty. */
  readonly model: string;
  /** The input of the model. */
  readonly input: string | readonly (Readonly<Record<string, unknown>>)[];
  /** Sends the response in parts, as it is made. */
  readonly stream?: boolean | undefined;
  /** The mode and the effort of reasoning. */
  readonly reasoning?: {
    /** `standard`, `pro`; default `standard`. */
    readonly mode?: 'standard' | 'pro' | undefined;
    /** `none`, `low`, `medium`, `high`, `xhigh`, `max`. */
    readonly effort?: 'none' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  } | undefined;
}

/**
 * Embeddings (list format): `POST /v1/embeddings` of the contract.
 * Models: `text-embedding-3-small`, `text-embedding-3-large`, `text-embedding-ada-002`.
 */
export interface EmbeddingsBody {
  /** Not empty. */
  readonly model: string;
  /** String[], integer[], integer[][]: not empty; a text or a list of texts, each also as its token numbers. */
  readonly input: string | readonly (string)[] | readonly (number)[] | readonly (readonly (number)[])[];
  /** `float`, `base64`. */
  readonly encoding_format?: 'float' | 'base64' | undefined;
  /**
   * At least 1.
   * `text-embedding-3-small`: at most 1536; `text-embedding-3-large`: at most 3072; `text-embedding-ada-002`: 1536.
   */
  readonly dimensions?: number | undefined;
}

/**
 * Embeddings (native format): `POST /v1/models/{model}:embedContent` of the contract.
 * Models: `eta-embedding-001`, `text-embedding-004`.
 */
export interface NativeEmbeddingBody {
  /** The content to embed. */
  readonly content: {
    /** At least one text that is not empty. */
    readonly parts: readonly ({
      readonly text: string;
    })[];
  };
  /**
   * At least 1.
   * Only for `eta-embedding-001`, `text-embedding-004`.
   */
  readonly outputDimensionality?: number | undefined;
  /** For example `RETRIEVAL_DOCUMENT`, `RETRIEVAL_QUERY`. */
  readonly taskType?: string | undefined;
}

/** Token counting: `POST /v1/messages/count_tokens` of the contract. */
export interface TokenCountBody {
  /** Not empty. */
  readonly model: string;
  /** Not empty. */
  readonly messages: readonly ({
    /** `user`, `assistant`. */
    readonly role: 'user' | 'assistant';
    readonly content: string | readonly ({
      readonly type: 'text';
      readonly text: string;
    } | {
      readonly type: 'image';
      readonly source: {
        readonly type: 'url';
        /** Not empty. */
        readonly url: string;
      };
    } | {
      readonly type: 'tool_result';
      readonly tool_use_id?: string | undefined;
      readonly content?: string | readonly (Readonly<Record<string, unknown>>)[] | undefined;
    })[];
  })[];
  /** The system prompt. */
  readonly system?: string | readonly ({
    readonly text?: string | undefined;
  })[] | undefined;
  /** The tools that the model may call. */
  readonly tools?: readonly ({
    /** Not empty. */
    readonly name: string;
    readonly description?: string | undefined;
    /** JSON Schema. */
    readonly input_schema?: Readonly<Record<string, unknown>> | undefined;
  })[] | undefined;
}

/**
 * Native streaming image generation: `POST /v1/models/{model}:streamGenerateContent` of the contract.
 * Models: `eta-2.5-flash-image`, `eta-3.1-flash-image`, `eta-3.1-flash-image-preview`, `eta-3-pro-image`.
 */
export interface NativeImageBody {
  /** Not empty. */
  readonly contents: readonly ({
    /** Usually `user`. */
    readonly role?: string | undefined;
    /** Not empty. */
    readonly parts: readonly ({
      readonly text?: string | undefined;
      readonly inlineData?: {
        /** `image/png`, `image/jpeg`, `image/webp`. */
        readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
        /**
         * Not empty; Base64 without prefix.
         * PNG, JPEG, WEBP.
         */
        readonly data: string;
      } | undefined;
    })[];
  })[];
  /** The modalities of the response, and the form of the image. */
  readonly generationConfig?: {
    /** Must include `IMAGE`. */
    readonly responseModalities?: readonly (string)[] | undefined;
    readonly imageConfig?: {
      /**
       * `1:1`, `2:3`, `3:2`, `3:4`, `4:3`, `4:5`, `5:4`, `9:16`, `16:9`, `21:9`, `1:4`, `4:1`, `1:8`, `8:1`.
       * `eta-2.5-flash-image`: `1:1`, `2:3`, `3:2`, `3:4`, `4:3`, `4:5`, `5:4`, `9:16`, `16:9`, `21:9`; `eta-3.1-flash-image`: `1:1`, `2:3`, `3:2`, `3:4`, `4:3`, `4:5`, `5:4`, `9:16`, `16:9`, `21:9`, `1:4`, `4:1`, `1:8`, `8:1`; `eta-3.1-flash-image-preview`: `1:1`, `2:3`, `3:2`, `3:4`, `4:3`, `4:5`, `5:4`, `9:16`, `16:9`, `21:9`, `1:4`, `4:1`, `1:8`, `8:1`; `eta-3-pro-image`: `1:1`, `2:3`, `3:2`, `3:4`, `4:3`, `4:5`, `5:4`, `9:16`, `16:9`, `21:9`.
       */
      readonly aspectRatio?: '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '4:5' | '5:4' | '9:16' | '16:9' | '21:9' | '1:4' | '4:1' | '1:8' | '8:1' | undefined;
      /** `1K`, `2K`, `4K`; not used by `eta-2.5-flash-image`. */
      readonly imageSize?: '1K' | '2K' | '4K' | undefined;
    } | undefined;
  } | undefined;
}

/**
 * Image generation, family alpha: `POST /v1/images/generations` of the contract.
 * Models: `alpha-image-2`, `alpha-image-1.5`, `alpha-image-1`, and others that begin with `alpha-image-`.
 */
export interface AlphaImageBody {
  /** Not empty. */
  readonly model: string;
  /** 1–32000 characters. */
  readonly prompt: string;
  /** 1–10; default `1`. */
  readonly n?: number | undefined;
  /**
   * Default `auto`; `auto` or `<width>x<height>`.
   * `auto`, or by model: `alpha-image-2`: both edges divisible by 16, each at most 3840 px, long to short at most 3:1, 655360–8294400 pixels in all (above 3686400 experimental); `alpha-image-1.5`: `1024x1024`, `1536x1024`, `1024x1536`; `alpha-image-1`: `1024x1024`, `1536x1024`, `1024x1536`.
   */
  readonly size?: string | undefined;
  /** `low`, `medium`, `high`, `auto`; default `auto`. */
  readonly quality?: 'low' | 'medium' | 'high' | 'auto' | undefined;
  /**
   * `auto`, `opaque`, `transparent`; default `auto`.
   * `transparent` only with `output_format` `png` or `webp`; on `alpha-image-2` a preview.
   */
  readonly background?: 'auto' | 'opaque' | 'transparent' | undefined;
  /** `png`, `jpeg`, `webp`; default `png`. */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /**
   * 0–100; default `100`.
   * Only with `output_format` `jpeg` or `webp`.
   */
  readonly output_compression?: number | undefined;
  /** Default `false`. */
  readonly stream?: boolean | undefined;
  /**
   * 0–3; 0: the final image only; fewer than asked may arrive.
   * Only with `stream`.
   */
  readonly partial_images?: number | undefined;
  /** End-user identifier. */
  readonly user?: string | undefined;
  /** `auto`, `low`; default `auto`. */
  readonly moderation?: 'auto' | 'low' | undefined;
}

/**
 * Image generation, family beta: `POST /v1/images/generations` of the contract.
 * Models: `beta-imagine-image-2.0`, `beta-imagine-image-quality`, `beta-imagine-image`, and others that begin with `beta-imagine-`.
 */
export interface BetaImageBody {
  /** Not empty. */
  readonly model: string;
  /** Not empty. */
  readonly prompt: string;
  /** 1–10; default `1`. */
  readonly n?: number | undefined;
  /**
   * `auto`, `1:1`, `3:4`, `4:3`, `9:16`, `16:9`, `2:3`, `3:2`, `9:19.5`, `19.5:9`, `9:20`, `20:9`, `1:2`, `2:1`, `21:9`, `5:2`; `auto` when it is not sent.
   * `21:9`, `5:2` only on `beta-imagine-image-2.0`.
   */
  readonly aspect_ratio?: 'auto' | '1:1' | '3:4' | '4:3' | '9:16' | '16:9' | '2:3' | '3:2' | '9:19.5' | '19.5:9' | '9:20' | '20:9' | '1:2' | '2:1' | '21:9' | '5:2' | undefined;
  /** `1k`, `2k`; default `1k`. */
  readonly resolution?: '1k' | '2k' | undefined;
  /**
   * `low`, `medium`, `auto`; default `auto`; `auto`: low for generation, medium for editing.
   * Only on `beta-imagine-image-2.0`; must not be sent for `beta-imagine-image-quality`, `beta-imagine-image`.
   */
  readonly quality?: 'low' | 'medium' | 'auto' | undefined;
  /** `url`, `b64_json`; default `url`. */
  readonly response_format?: 'url' | 'b64_json' | undefined;
  /** Stable end-user identifier, no raw personal data. */
  readonly user?: string | undefined;
  /** Needs permissions in the upstream account. */
  readonly storage_options?: {
    /** Not empty; its extension does not change the content type. */
    readonly filename: string;
    /** 3600–2592000; seconds; absent: no automatic expiry. */
    readonly expires_after?: number | undefined;
    /** True requests a public URL, an object also sets its lifetime. */
    readonly public_url?: boolean | {
      /**
       * 3600–2592000; seconds.
       * At most `storage_options.expires_after`, where that is sent.
       */
      readonly expires_after?: number | undefined;
    } | undefined;
  } | undefined;
}

/**
 * Image generation and editing, family gamma: `POST /v1/images/generations` of the contract.
 * Models: `gamma-image-2.0-pro`, `gamma-image-2.0`, `gamma-image-max`, `gamma-image-plus`, `gamma-image`, `gamma-image-edit-max`, `gamma-image-edit-plus`, `gamma-image-edit`, and others that begin with `gamma-image`.
 */
export interface GammaImageBody {
  /** Not empty. */
  readonly model: string;
  /** The input of the model. */
  readonly input: {
    /** Exactly 1 item; single turn. */
    readonly messages: readonly ({
      readonly role: 'user';
      /** Exactly one text, and by model: `gamma-image-2.0-pro`, `gamma-image-2.0`: no image, or 1–3; `gamma-image-max`, `gamma-image-plus`, `gamma-image`: no image; `gamma-image-edit-max`, `gamma-image-edit-plus`, `gamma-image-edit`: 1–3 images. */
      readonly content: readonly ({
        /**
         * Not empty.
         * `gamma-image-2.0-pro`, `gamma-image-2.0`: 1300 tokens, what is beyond is cut off; `gamma-image-max`, `gamma-image-plus`, `gamma-image`, `gamma-image-edit-max`, `gamma-image-edit-plus`, `gamma-image-edit`: 800 tokens, what is beyond is cut off.
         */
        readonly text?: string | undefined;
        /**
         * Public URL, URL of the native temporary object storage (`oss://`), or Base64 data URI; 384–3072 px per edge recommended; of a GIF the first frame.
         * JPEG, PNG, BMP, TIFF, WEBP, GIF; at most 10 MB each.
         */
        readonly image?: string | undefined;
      })[];
    })[];
  };
  /** The parameters of the image. */
  readonly parameters?: {
    /**
     * 1–6; default `1`.
     * `gamma-image-2.0-pro`, `gamma-image-2.0`, `gamma-image-edit-max`, `gamma-image-edit-plus`: 1–6; `gamma-image-max`, `gamma-image-plus`, `gamma-image`, `gamma-image-edit`: 1.
     */
    readonly n?: number | undefined;
    /**
     * `<width>*<height>`, which may be aligned to multiples of 16.
     * `gamma-image-2.0-pro`, `gamma-image-2.0`: 262144–4194304 pixels in all, default of a generation `2048*2048`, default of an edit about 1024*1024 pixels in the last image's proportions; `gamma-image-max`, `gamma-image-plus`, `gamma-image`: `1664*928`, `1472*1104`, `1328*1328`, `1104*1472`, `928*1664`, default of a generation `1664*928`; `gamma-image-edit-max`, `gamma-image-edit-plus`: each edge 512–2048 px, default of an edit about 1024*1024 pixels in the last image's proportions; `gamma-image-edit`: must not be sent.
     */
    readonly size?: string | undefined;
    /** Chinese or English; what is beyond 500 characters is cut off. */
    readonly negative_prompt?: string | undefined;
    /**
     * Default `true`; rewrites the positive prompt only.
     * Must not be sent for `gamma-image-edit`.
     */
    readonly prompt_extend?: boolean | undefined;
    /** Default `false`; true: a watermark of the model, lower right. */
    readonly watermark?: boolean | undefined;
    /** 0–2147483647. */
    readonly seed?: number | undefined;
  } | undefined;
}

/**
 * Image editing, family alpha: `POST /v1/images/edits` of the contract.
 * Models: `alpha-image-2`, `alpha-image-1.5`, `alpha-image-1`, and others that begin with `alpha-image-`.
 */
export interface AlphaEditBody {
  /** Not empty. */
  readonly model: string;
  /** 1–32000 characters. */
  readonly prompt: string;
  /** 1–10; default `1`. */
  readonly n?: number | undefined;
  /**
   * Default `auto`; `auto` or `<width>x<height>`.
   * `auto`, or by model: `alpha-image-2`: both edges divisible by 16, each at most 3840 px, long to short at most 3:1, 655360–8294400 pixels in all (above 3686400 experimental); `alpha-image-1.5`: `1024x1024`, `1536x1024`, `1024x1536`; `alpha-image-1`: `1024x1024`, `1536x1024`, `1024x1536`.
   */
  readonly size?: string | undefined;
  /** `low`, `medium`, `high`, `auto`; default `auto`. */
  readonly quality?: 'low' | 'medium' | 'high' | 'auto' | undefined;
  /**
   * `auto`, `opaque`, `transparent`; default `auto`.
   * `transparent` only with `output_format` `png` or `webp`; on `alpha-image-2` a preview.
   */
  readonly background?: 'auto' | 'opaque' | 'transparent' | undefined;
  /** `png`, `jpeg`, `webp`; default `png`. */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /**
   * 0–100; default `100`.
   * Only with `output_format` `jpeg` or `webp`.
   */
  readonly output_compression?: number | undefined;
  /** Default `false`. */
  readonly stream?: boolean | undefined;
  /**
   * 0–3; 0: the final image only; fewer than asked may arrive.
   * Only with `stream`.
   */
  readonly partial_images?: number | undefined;
  /** End-user identifier. */
  readonly user?: string | undefined;
  /**
   * 1–16 items; one file as `image`, several as `image[]`.
   * PNG, JPEG, WEBP; each under 50 MB.
   */
  readonly image: readonly (RequestFile)[];
  /**
   * Meaning: where it is fully transparent the first image is edited; as many pixels wide and high as that.
   * PNG; each under 4 MB.
   */
  readonly mask?: RequestFile | undefined;
  /**
   * `high`, `low`.
   * Must not be sent for `alpha-image-2`.
   */
  readonly input_fidelity?: 'high' | 'low' | undefined;
}

/**
 * Image editing, family beta: `POST /v1/images/edits` of the contract.
 * Models: `beta-imagine-image-2.0`, `beta-imagine-image-quality`, `beta-imagine-image`, and others that begin with `beta-imagine-`.
 */
export interface BetaEditBody {
  /** Not empty. */
  readonly model: string;
  /** Not empty. */
  readonly prompt: string;
  /** 1–10; default `1`. */
  readonly n?: number | undefined;
  /**
   * `auto`, `1:1`, `3:4`, `4:3`, `9:16`, `16:9`, `2:3`, `3:2`, `9:19.5`, `19.5:9`, `9:20`, `20:9`, `1:2`, `2:1`, `21:9`, `5:2`; when it is not sent, or `auto`: as the first image.
   * `21:9`, `5:2` only on `beta-imagine-image-2.0`.
   */
  readonly aspect_ratio?: 'auto' | '1:1' | '3:4' | '4:3' | '9:16' | '16:9' | '2:3' | '3:2' | '9:19.5' | '19.5:9' | '9:20' | '20:9' | '1:2' | '2:1' | '21:9' | '5:2' | undefined;
  /** `1k`, `2k`; default `1k`. */
  readonly resolution?: '1k' | '2k' | undefined;
  /**
   * `low`, `medium`, `auto`; default `auto`; `auto`: low for generation, medium for editing.
   * Only on `beta-imagine-image-2.0`; must not be sent for `beta-imagine-image-quality`, `beta-imagine-image`.
   */
  readonly quality?: 'low' | 'medium' | 'auto' | undefined;
  /** `url`, `b64_json`; default `url`. */
  readonly response_format?: 'url' | 'b64_json' | undefined;
  /** Stable end-user identifier, no raw personal data. */
  readonly user?: string | undefined;
  /** Needs permissions in the upstream account. */
  readonly storage_options?: {
    /** Not empty; its extension does not change the content type. */
    readonly filename: string;
    /** 3600–2592000; seconds; absent: no automatic expiry. */
    readonly expires_after?: number | undefined;
    /** True requests a public URL, an object also sets its lifetime. */
    readonly public_url?: boolean | {
      /**
       * 3600–2592000; seconds.
       * At most `storage_options.expires_after`, where that is sent.
       */
      readonly expires_after?: number | undefined;
    } | undefined;
  } | undefined;
  /**
   * Either `url` or `file_id`.
   * One of `image` or `images`, never both.
   */
  readonly image?: {
    /**
     * Public URL, or Base64 data URI of a JPEG, PNG or WebP image.
     * JPEG, PNG, WEBP.
     */
    readonly url?: string | undefined;
    /** Not empty; of a fully uploaded image, no task ID. */
    readonly file_id?: string | undefined;
  } | undefined;
  /**
   * Not empty; `<IMAGE_0>`, `<IMAGE_1>`, … in the prompt.
   * `beta-imagine-image-2.0`: up to 5.
   */
  readonly images?: readonly ({
    /**
     * Public URL, or Base64 data URI of a JPEG, PNG or WebP image.
     * JPEG, PNG, WEBP.
     */
    readonly url?: string | undefined;
    /** Not empty; of a fully uploaded image, no task ID. */
    readonly file_id?: string | undefined;
  })[] | undefined;
}

/**
 * Video, family epsilon: `POST /v1/video/generations` of the contract.
 * Models: `epsilon-video-2-0-260128`, `epsilon-video-2-0-fast-260128`, `epsilon-video-2-0-mini-260615`, and others that begin with `epsilon-video-`.
 */
export interface EpsilonVideoBody {
  /** Not empty. */
  readonly model: string;
  /**
   * Consistent with the text in `metadata.content`.
   * Contains a text of `metadata.content`, or is part of it.
   */
  readonly prompt: string;
  /**
   * Meaning: whether media are processed: required with media.
   * False for requests of text only, true for those with media.
   */
  readonly asset?: boolean | undefined;
  /** Must have these fields, not the root: `content`, `resolution`, `ratio`, `duration`, `generate_audio`, `watermark`, `return_last_frame`, `callback_url`, `execution_expires_after`, `priority`, `service_tier`, `safety_identifier`, `tools`. */
  readonly metadata: {
    /**
     * Not empty; a text where there is no file.
     * Audio only with an image or a video.
     * At most 1 `first_frame`, 1 `last_frame`, 9 `reference_image`, 3 `reference_video`, 3 `reference_audio`.
     */
    readonly content: readonly ({
      readonly type: 'text';
      /** Not empty. */
      readonly text: string;
    } | {
      readonly type: 'image_url';
      readonly image_url: {
        /** URL, or Base64 data URI of `image/…`. */
        readonly url: string;
      };
      /**
       * `first_frame`, `last_frame`, `reference_image`.
       * `first_frame` and `last_frame` never with `reference_*`.
       */
      readonly role?: 'first_frame' | 'last_frame' | 'reference_image' | undefined;
    } | {
      readonly type: 'video_url';
      readonly video_url: {
        /** URL, or Base64 data URI of `video/…`. */
        readonly url: string;
      };
      /**
       * `reference_video`.
       * `first_frame` and `last_frame` never with `reference_*`.
       */
      readonly role?: 'reference_video' | undefined;
    } | {
      readonly type: 'audio_url';
      readonly audio_url: {
        /** URL, or Base64 data URI of `audio/…`. */
        readonly url: string;
      };
      /**
       * `reference_audio`.
       * `first_frame` and `last_frame` never with `reference_*`.
       */
      readonly role?: 'reference_audio' | undefined;
    })[];
    /**
     * `480p`, `720p`, `1080p`, `4k`; default `720p`.
     * `epsilon-video-2-0-260128`: `480p`, `720p`, `1080p`, `4k`; `epsilon-video-2-0-fast-260128`: `480p`, `720p`; `epsilon-video-2-0-mini-260615`: `480p`, `720p`.
     */
    readonly resolution?: '480p' | '720p' | '1080p' | '4k' | undefined;
    /** `16:9`, `4:3`, `1:1`, `3:4`, `9:16`, `21:9`, `adaptive`; default `adaptive`. */
    readonly ratio?: '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | '21:9' | 'adaptive' | undefined;
    /** `-1`; 4–15; seconds; -1: automatic. */
    readonly duration?: number | -1 | undefined;
    /** Default `true`; mono, in step with the video; false: silent. */
    readonly generate_audio?: boolean | undefined;
    /** Default `false`; lower right. */
    readonly watermark?: boolean | undefined;
    /** Default `false`; PNG without watermark, of the same pixels. */
    readonly return_last_frame?: boolean | undefined;
    /** URL of `http` or `https`. */
    readonly callback_url?: string | undefined;
    /** 3600–259200; default `172800`; seconds from creation. */
    readonly execution_expires_after?: number | undefined;
    /**
     * 0–9; default `0`; higher goes first.
     * Not with `service_tier` `flex`.
     * Only for the 2.5 and 2.0 versions.
     */
    readonly priority?: number | undefined;
    /** For example `flex`. */
    readonly service_tier?: string | undefined;
    /** At most 64 characters; English characters; stable unique end-user identifier: use a hash. */
    readonly safety_identifier?: string | undefined;
    /** Only for the 2.5 and 2.0 versions. */
    readonly tools?: readonly ({
      /** `web_search`. */
      readonly type: 'web_search';
    })[] | undefined;
  };
}

/**
 * Video, family delta: `POST /v1/video/generations` of the contract.
 * Models: `delta-H3`.
 * At most 64 MB as it is sent, with its Base64.
 */
export interface DeltaVideoBody {
  /**
   * Not empty.
   * `delta-H3`, in exactly these letters.
   */
  readonly model: string;
  /**
   * Not empty; consistent with the text in `metadata.content`.
   * Contains a text of `metadata.content`, or is part of it.
   */
  readonly prompt: string;
  /** Must have these fields, not the root: `content`, `resolution`, `ratio`, `duration`, `callback_url`. */
  readonly metadata: {
    /**
     * Not empty.
     * At least one text.
     * At most 1 `first_frame`, 1 `last_frame`, 9 `reference_image`, 3 `reference_video`, 3 `reference_audio`.
     */
    readonly content: readonly ({
      readonly type: 'text';
      /** 1–7000 characters. */
      readonly text: string;
    } | {
      readonly type: 'image_url';
      readonly image_url: {
        /**
         * Public URL, `mm_file://<file_id>`, or Base64 data URI of `image/jpg`, `image/jpeg`, `image/png`, `image/webp`, `image/heic`, `image/heif`, in lower case.
         * JPEG, PNG, WEBP, HEIC, HEIF; at most 30 MB each; 256–5760 px per edge; width / height 0.4–2.5.
         */
        readonly url: string;
      };
      /**
       * `first_frame`, `last_frame`, `reference_image`.
       * Required, except for an image that is the single file: it is the first frame.
       * `first_frame` and `last_frame` never with `reference_*`.
       */
      readonly role?: 'first_frame' | 'last_frame' | 'reference_image' | undefined;
    } | {
      readonly type: 'video_url';
      readonly video_url: {
        /**
         * Public URL, `mm_file://<file_id>`, or Base64 data URI of `video/mp4`, in lower case.
         * MP4, MOV; at most 50 MB each; 256–5760 px per edge; width / height 0.4–2.5; 2–15 s each; at most 15 s in all; 23.976–60 frames a second; video h264 or h265; audio aac or mp3.
         */
        readonly url: string;
      };
      /**
       * `reference_video`.
       * Required, except for an image that is the single file: it is the first frame.
       * `first_frame` and `last_frame` never with `reference_*`.
       */
      readonly role?: 'reference_video' | undefined;
    } | {
      readonly type: 'audio_url';
      readonly audio_url: {
        /**
         * Public URL, `mm_file://<file_id>`, or Base64 data URI of `audio/wav`, `audio/mp3`, `audio/mpeg`, in lower case.
         * WAV, MP3; at most 15 MB each; 2–15 s each; at most 15 s in all.
         */
        readonly url: string;
      };
      /**
       * `reference_audio`.
       * Required, except for an image that is the single file: it is the first frame.
       * `first_frame` and `last_frame` never with `reference_*`.
       */
      readonly role?: 'reference_audio' | undefined;
    })[];
    /** `768P`, `2K`; always explicit. */
    readonly resolution: '768P' | '2K';
    /** 4–15; seconds, always explicit. */
    readonly duration: number;
    /**
     * `adaptive`, `21:9`, `16:9`, `4:3`, `1:1`, `3:4`, `9:16`; `adaptive` when it is not sent, and whenever there is a frame.
     * Required, and not `adaptive`, without a file.
     */
    readonly ratio?: 'adaptive' | '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | undefined;
    /** URL of `http` or `https`. */
    readonly callback_url?: string | undefined;
  };
}

/** Video, other asset-style families: `POST /v1/video/generations` of the contract. */
export interface AssetVideoBody {
  /** Not empty. */
  readonly model: string;
  /** The description of what is generated. */
  readonly prompt: string;
  /** Meaning: whether media are processed. */
  readonly asset?: boolean | undefined;
  /** Must have these fields, not the root: `content`, `resolution`, `ratio`, `duration`, `generate_audio`, `watermark`, `return_last_frame`, `callback_url`, `execution_expires_after`, `priority`, `service_tier`, `safety_identifier`, `tools`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Video, flat-metadata family: `POST /v1/video/generations` of the contract. */
export interface FlatVideoBody {
  /** Not empty. */
  readonly model: string;
  /** The description of what is generated. */
  readonly prompt: string;
  /**
   * Flat: no field is an object.
   * Must have these fields, not the root: `durationSeconds`, `aspectRatio`.
   */
  readonly metadata?: {
    readonly durationSeconds?: number | string | undefined;
    readonly aspectRatio?: string | undefined;
  } | undefined;
}

/** Video, native-nested family: `POST /v1/video/generations` of the contract. */
export interface NestedVideoBody {
  /** Not empty. */
  readonly model: string;
  /** Must have these fields, not the root: `input`, `parameters`. */
  readonly metadata: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  };
}

/** Video, download-required family: `POST /v1/video/generations` of the contract. */
export interface DownloadVideoBody {
  /** Not empty. */
  readonly model: string;
  /** Not empty. */
  readonly prompt: string;
  /** Whole seconds, in a string. */
  readonly seconds: string;
  /** `<width>x<height>`. */
  readonly size: string;
}

/** Video, dedicated family: `POST /v1/video/generations` of the contract. */
export interface DedicatedVideoBody {
  /** Not empty. */
  readonly model: string;
}
