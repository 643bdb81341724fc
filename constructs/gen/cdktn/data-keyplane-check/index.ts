// @ts-nocheck: generated from the provider's schema by `npm run generate`. Do not edit.
// https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktn from 'cdktn';

// Configuration

export interface DataKeyplaneCheckConfig extends cdktn.TerraformMetaArguments {
  /**
  * Must be true for media, which cost money at every run.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#costly DataKeyplaneCheck#costly}
  */
  readonly costly?: boolean | cdktn.IResolvable;
  /**
  * The family of a video model whose name does not identify it.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#family DataKeyplaneCheck#family}
  */
  readonly family?: string;
  /**
  * ID of the key to check. Its credential is only used in memory and never stored.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#key_id DataKeyplaneCheck#key_id}
  */
  readonly keyId: number;
  /**
  * File that records paid video tasks, so that no task is paid for twice: a later run resumes tasks that were submitted but have not finished. Default: `keyplane.tasks.jsonl` in the working directory. Keep it for the next run.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#ledger DataKeyplaneCheck#ledger}
  */
  readonly ledger?: string;
  /**
  * Sends nothing if the check might cost more dollars than this, according to the usage log.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#max_cost_usd DataKeyplaneCheck#max_cost_usd}
  */
  readonly maxCostUsd?: number;
  /**
  * The model to use. Default: one of the key’s own.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#model DataKeyplaneCheck#model}
  */
  readonly model?: string;
  /**
  * The request to send: `chat`, `chat-stream`, `responses`, `responses-stream`, `embeddings`, `embeddings-native`, `embeddings-batch`, `count-tokens`, `image`, `image-edit`, `image-edit-stream`, `image-stream`, `video`, `model-list`, `forbidden-model`, `forbidden-address`, `disabled-key`, `expired-key`, `exhausted-key`, `spoofed-address`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#module DataKeyplaneCheck#module}
  */
  readonly module: string;
  /**
  * Fields of the request, under the gateway’s own names. They override those that the module sends: `jsonencode({ … })`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#request DataKeyplaneCheck#request}
  */
  readonly request?: string;
  /**
  * Number of retries after a failure, at most 5. Videos are never retried.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#retries DataKeyplaneCheck#retries}
  */
  readonly retries?: number;
  /**
  * Time limit for the response, such as `30s`. The default depends on the module.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#timeout DataKeyplaneCheck#timeout}
  */
  readonly timeout?: string;
  /**
  * expect block
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#expect DataKeyplaneCheck#expect}
  */
  readonly expect?: DataKeyplaneCheckExpect;
  /**
  * timeouts block
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#timeouts DataKeyplaneCheck#timeouts}
  */
  readonly timeouts?: DataKeyplaneCheckTimeouts;
}
export interface DataKeyplaneCheckExpect {
  /**
  * `true` if the video must have sound, `false` if it must be silent.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#audio DataKeyplaneCheck#audio}
  */
  readonly audio?: boolean | cdktn.IResolvable;
  /**
  * Texts that the answer must contain, all of them. Case matters.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#contains DataKeyplaneCheck#contains}
  */
  readonly contains?: string[];
  /**
  * Exact number of images in the answer.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#count DataKeyplaneCheck#count}
  */
  readonly count?: number;
  /**
  * Exact number of dimensions of each vector.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#dimensions DataKeyplaneCheck#dimensions}
  */
  readonly dimensions?: number;
  /**
  * File format: `png`, `jpeg` or `webp` of an image, `mp4` of a video.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#format DataKeyplaneCheck#format}
  */
  readonly format?: string;
  /**
  * Exact height in pixels.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#height DataKeyplaneCheck#height}
  */
  readonly height?: number;
  /**
  * JSON Schema that the answer, read as JSON, must satisfy. Write it with `jsonencode({ … })`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#json_schema DataKeyplaneCheck#json_schema}
  */
  readonly jsonSchema?: string;
  /**
  * Regular expression that the answer must match. JavaScript syntax, with the flag `u`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#matches DataKeyplaneCheck#matches}
  */
  readonly matches?: string;
  /**
  * Maximum cost in US dollars, exact, according to the usage log.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#max_cost_usd DataKeyplaneCheck#max_cost_usd}
  */
  readonly maxCostUsd?: number;
  /**
  * Maximum time until the first byte of the answer, in milliseconds.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#max_first_byte_ms DataKeyplaneCheck#max_first_byte_ms}
  */
  readonly maxFirstByteMs?: number;
  /**
  * Maximum number of tokens in the count.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#max_input_tokens DataKeyplaneCheck#max_input_tokens}
  */
  readonly maxInputTokens?: number;
  /**
  * Maximum time until the answer is complete, in milliseconds. For a video: until its task ends.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#max_latency_ms DataKeyplaneCheck#max_latency_ms}
  */
  readonly maxLatencyMs?: number;
  /**
  * Minimum number of dimensions of each vector.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#min_dimensions DataKeyplaneCheck#min_dimensions}
  */
  readonly minDimensions?: number;
  /**
  * Minimum height in pixels.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#min_height DataKeyplaneCheck#min_height}
  */
  readonly minHeight?: number;
  /**
  * Minimum number of tokens in the count.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#min_input_tokens DataKeyplaneCheck#min_input_tokens}
  */
  readonly minInputTokens?: number;
  /**
  * Minimum width in pixels.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#min_width DataKeyplaneCheck#min_width}
  */
  readonly minWidth?: number;
  /**
  * Length of the video in seconds, within half a second.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#seconds DataKeyplaneCheck#seconds}
  */
  readonly seconds?: number;
  /**
  * Name of the tool that the answer must call.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#tool_call DataKeyplaneCheck#tool_call}
  */
  readonly toolCall?: string;
  /**
  * Exact width in pixels.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#width DataKeyplaneCheck#width}
  */
  readonly width?: number;
}

export function dataKeyplaneCheckExpectToTerraform(struct?: DataKeyplaneCheckExpect | cdktn.IResolvable): any {
  if (!cdktn.canInspect(struct) || cdktn.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktn.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdktn.io/docs/concepts/resources#references");
  }
  return {
    audio: cdktn.booleanToTerraform(struct!.audio),
    contains: cdktn.listMapper(cdktn.stringToTerraform, false)(struct!.contains),
    count: cdktn.numberToTerraform(struct!.count),
    dimensions: cdktn.numberToTerraform(struct!.dimensions),
    format: cdktn.stringToTerraform(struct!.format),
    height: cdktn.numberToTerraform(struct!.height),
    json_schema: cdktn.stringToTerraform(struct!.jsonSchema),
    matches: cdktn.stringToTerraform(struct!.matches),
    max_cost_usd: cdktn.numberToTerraform(struct!.maxCostUsd),
    max_first_byte_ms: cdktn.numberToTerraform(struct!.maxFirstByteMs),
    max_input_tokens: cdktn.numberToTerraform(struct!.maxInputTokens),
    max_latency_ms: cdktn.numberToTerraform(struct!.maxLatencyMs),
    min_dimensions: cdktn.numberToTerraform(struct!.minDimensions),
    min_height: cdktn.numberToTerraform(struct!.minHeight),
    min_input_tokens: cdktn.numberToTerraform(struct!.minInputTokens),
    min_width: cdktn.numberToTerraform(struct!.minWidth),
    seconds: cdktn.numberToTerraform(struct!.seconds),
    tool_call: cdktn.stringToTerraform(struct!.toolCall),
    width: cdktn.numberToTerraform(struct!.width),
  }
}


export function dataKeyplaneCheckExpectToHclTerraform(struct?: DataKeyplaneCheckExpect | cdktn.IResolvable): any {
  if (!cdktn.canInspect(struct) || cdktn.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktn.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdktn.io/docs/concepts/resources#references");
  }
  const attrs = {
    audio: {
      value: cdktn.booleanToHclTerraform(struct!.audio),
      isBlock: false,
      type: "simple",
      storageClassType: "boolean",
    },
    contains: {
      value: cdktn.listMapperHcl(cdktn.stringToHclTerraform, false)(struct!.contains),
      isBlock: false,
      type: "list",
      storageClassType: "stringList",
    },
    count: {
      value: cdktn.numberToHclTerraform(struct!.count),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    dimensions: {
      value: cdktn.numberToHclTerraform(struct!.dimensions),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    format: {
      value: cdktn.stringToHclTerraform(struct!.format),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    height: {
      value: cdktn.numberToHclTerraform(struct!.height),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    json_schema: {
      value: cdktn.stringToHclTerraform(struct!.jsonSchema),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    matches: {
      value: cdktn.stringToHclTerraform(struct!.matches),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    max_cost_usd: {
      value: cdktn.numberToHclTerraform(struct!.maxCostUsd),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    max_first_byte_ms: {
      value: cdktn.numberToHclTerraform(struct!.maxFirstByteMs),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    max_input_tokens: {
      value: cdktn.numberToHclTerraform(struct!.maxInputTokens),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    max_latency_ms: {
      value: cdktn.numberToHclTerraform(struct!.maxLatencyMs),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    min_dimensions: {
      value: cdktn.numberToHclTerraform(struct!.minDimensions),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    min_height: {
      value: cdktn.numberToHclTerraform(struct!.minHeight),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    min_input_tokens: {
      value: cdktn.numberToHclTerraform(struct!.minInputTokens),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    min_width: {
      value: cdktn.numberToHclTerraform(struct!.minWidth),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    seconds: {
      value: cdktn.numberToHclTerraform(struct!.seconds),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    tool_call: {
      value: cdktn.stringToHclTerraform(struct!.toolCall),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    width: {
      value: cdktn.numberToHclTerraform(struct!.width),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class DataKeyplaneCheckExpectOutputReference extends cdktn.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktn.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktn.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): DataKeyplaneCheckExpect | cdktn.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._audio !== undefined) {
      hasAnyValues = true;
      internalValueResult.audio = this._audio;
    }
    if (this._contains !== undefined) {
      hasAnyValues = true;
      internalValueResult.contains = this._contains;
    }
    if (this._count !== undefined) {
      hasAnyValues = true;
      internalValueResult.count = this._count;
    }
    if (this._dimensions !== undefined) {
      hasAnyValues = true;
      internalValueResult.dimensions = this._dimensions;
    }
    if (this._format !== undefined) {
      hasAnyValues = true;
      internalValueResult.format = this._format;
    }
    if (this._height !== undefined) {
      hasAnyValues = true;
      internalValueResult.height = this._height;
    }
    if (this._jsonSchema !== undefined) {
      hasAnyValues = true;
      internalValueResult.jsonSchema = this._jsonSchema;
    }
    if (this._matches !== undefined) {
      hasAnyValues = true;
      internalValueResult.matches = this._matches;
    }
    if (this._maxCostUsd !== undefined) {
      hasAnyValues = true;
      internalValueResult.maxCostUsd = this._maxCostUsd;
    }
    if (this._maxFirstByteMs !== undefined) {
      hasAnyValues = true;
      internalValueResult.maxFirstByteMs = this._maxFirstByteMs;
    }
    if (this._maxInputTokens !== undefined) {
      hasAnyValues = true;
      internalValueResult.maxInputTokens = this._maxInputTokens;
    }
    if (this._maxLatencyMs !== undefined) {
      hasAnyValues = true;
      internalValueResult.maxLatencyMs = this._maxLatencyMs;
    }
    if (this._minDimensions !== undefined) {
      hasAnyValues = true;
      internalValueResult.minDimensions = this._minDimensions;
    }
    if (this._minHeight !== undefined) {
      hasAnyValues = true;
      internalValueResult.minHeight = this._minHeight;
    }
    if (this._minInputTokens !== undefined) {
      hasAnyValues = true;
      internalValueResult.minInputTokens = this._minInputTokens;
    }
    if (this._minWidth !== undefined) {
      hasAnyValues = true;
      internalValueResult.minWidth = this._minWidth;
    }
    if (this._seconds !== undefined) {
      hasAnyValues = true;
      internalValueResult.seconds = this._seconds;
    }
    if (this._toolCall !== undefined) {
      hasAnyValues = true;
      internalValueResult.toolCall = this._toolCall;
    }
    if (this._width !== undefined) {
      hasAnyValues = true;
      internalValueResult.width = this._width;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataKeyplaneCheckExpect | cdktn.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._audio = undefined;
      this._contains = undefined;
      this._count = undefined;
      this._dimensions = undefined;
      this._format = undefined;
      this._height = undefined;
      this._jsonSchema = undefined;
      this._matches = undefined;
      this._maxCostUsd = undefined;
      this._maxFirstByteMs = undefined;
      this._maxInputTokens = undefined;
      this._maxLatencyMs = undefined;
      this._minDimensions = undefined;
      this._minHeight = undefined;
      this._minInputTokens = undefined;
      this._minWidth = undefined;
      this._seconds = undefined;
      this._toolCall = undefined;
      this._width = undefined;
    }
    else if (cdktn.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._audio = value.audio;
      this._contains = value.contains;
      this._count = value.count;
      this._dimensions = value.dimensions;
      this._format = value.format;
      this._height = value.height;
      this._jsonSchema = value.jsonSchema;
      this._matches = value.matches;
      this._maxCostUsd = value.maxCostUsd;
      this._maxFirstByteMs = value.maxFirstByteMs;
      this._maxInputTokens = value.maxInputTokens;
      this._maxLatencyMs = value.maxLatencyMs;
      this._minDimensions = value.minDimensions;
      this._minHeight = value.minHeight;
      this._minInputTokens = value.minInputTokens;
      this._minWidth = value.minWidth;
      this._seconds = value.seconds;
      this._toolCall = value.toolCall;
      this._width = value.width;
    }
  }

  // audio - computed: false, optional: true, required: false
  private _audio?: boolean | cdktn.IResolvable;
  public get audio() {
    return this.getBooleanAttribute('audio');
  }
  public set audio(value: boolean | cdktn.IResolvable) {
    this._audio = value;
  }
  public resetAudio() {
    this._audio = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get audioInput() {
    return this._audio;
  }

  // contains - computed: false, optional: true, required: false
  private _contains?: string[];
  public get contains() {
    return this.getListAttribute('contains');
  }
  public set contains(value: string[]) {
    this._contains = value;
  }
  public resetContains() {
    this._contains = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get containsInput() {
    return this._contains;
  }

  // count - computed: false, optional: true, required: false
  private _count?: number;
  public get count() {
    return this.getNumberAttribute('count');
  }
  public set count(value: number) {
    this._count = value;
  }
  public resetCount() {
    this._count = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get countInput() {
    return this._count;
  }

  // dimensions - computed: false, optional: true, required: false
  private _dimensions?: number;
  public get dimensions() {
    return this.getNumberAttribute('dimensions');
  }
  public set dimensions(value: number) {
    this._dimensions = value;
  }
  public resetDimensions() {
    this._dimensions = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get dimensionsInput() {
    return this._dimensions;
  }

  // format - computed: false, optional: true, required: false
  private _format?: string;
  public get format() {
    return this.getStringAttribute('format');
  }
  public set format(value: string) {
    this._format = value;
  }
  public resetFormat() {
    this._format = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get formatInput() {
    return this._format;
  }

  // height - computed: false, optional: true, required: false
  private _height?: number;
  public get height() {
    return this.getNumberAttribute('height');
  }
  public set height(value: number) {
    this._height = value;
  }
  public resetHeight() {
    this._height = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get heightInput() {
    return this._height;
  }

  // json_schema - computed: false, optional: true, required: false
  private _jsonSchema?: string;
  public get jsonSchema() {
    return this.getStringAttribute('json_schema');
  }
  public set jsonSchema(value: string) {
    this._jsonSchema = value;
  }
  public resetJsonSchema() {
    this._jsonSchema = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get jsonSchemaInput() {
    return this._jsonSchema;
  }

  // matches - computed: false, optional: true, required: false
  private _matches?: string;
  public get matches() {
    return this.getStringAttribute('matches');
  }
  public set matches(value: string) {
    this._matches = value;
  }
  public resetMatches() {
    this._matches = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get matchesInput() {
    return this._matches;
  }

  // max_cost_usd - computed: false, optional: true, required: false
  private _maxCostUsd?: number;
  public get maxCostUsd() {
    return this.getNumberAttribute('max_cost_usd');
  }
  public set maxCostUsd(value: number) {
    this._maxCostUsd = value;
  }
  public resetMaxCostUsd() {
    this._maxCostUsd = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get maxCostUsdInput() {
    return this._maxCostUsd;
  }

  // max_first_byte_ms - computed: false, optional: true, required: false
  private _maxFirstByteMs?: number;
  public get maxFirstByteMs() {
    return this.getNumberAttribute('max_first_byte_ms');
  }
  public set maxFirstByteMs(value: number) {
    this._maxFirstByteMs = value;
  }
  public resetMaxFirstByteMs() {
    this._maxFirstByteMs = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get maxFirstByteMsInput() {
    return this._maxFirstByteMs;
  }

  // max_input_tokens - computed: false, optional: true, required: false
  private _maxInputTokens?: number;
  public get maxInputTokens() {
    return this.getNumberAttribute('max_input_tokens');
  }
  public set maxInputTokens(value: number) {
    this._maxInputTokens = value;
  }
  public resetMaxInputTokens() {
    this._maxInputTokens = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get maxInputTokensInput() {
    return this._maxInputTokens;
  }

  // max_latency_ms - computed: false, optional: true, required: false
  private _maxLatencyMs?: number;
  public get maxLatencyMs() {
    return this.getNumberAttribute('max_latency_ms');
  }
  public set maxLatencyMs(value: number) {
    this._maxLatencyMs = value;
  }
  public resetMaxLatencyMs() {
    this._maxLatencyMs = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get maxLatencyMsInput() {
    return this._maxLatencyMs;
  }

  // min_dimensions - computed: false, optional: true, required: false
  private _minDimensions?: number;
  public get minDimensions() {
    return this.getNumberAttribute('min_dimensions');
  }
  public set minDimensions(value: number) {
    this._minDimensions = value;
  }
  public resetMinDimensions() {
    this._minDimensions = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get minDimensionsInput() {
    return this._minDimensions;
  }

  // min_height - computed: false, optional: true, required: false
  private _minHeight?: number;
  public get minHeight() {
    return this.getNumberAttribute('min_height');
  }
  public set minHeight(value: number) {
    this._minHeight = value;
  }
  public resetMinHeight() {
    this._minHeight = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get minHeightInput() {
    return this._minHeight;
  }

  // min_input_tokens - computed: false, optional: true, required: false
  private _minInputTokens?: number;
  public get minInputTokens() {
    return this.getNumberAttribute('min_input_tokens');
  }
  public set minInputTokens(value: number) {
    this._minInputTokens = value;
  }
  public resetMinInputTokens() {
    this._minInputTokens = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get minInputTokensInput() {
    return this._minInputTokens;
  }

  // min_width - computed: false, optional: true, required: false
  private _minWidth?: number;
  public get minWidth() {
    return this.getNumberAttribute('min_width');
  }
  public set minWidth(value: number) {
    this._minWidth = value;
  }
  public resetMinWidth() {
    this._minWidth = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get minWidthInput() {
    return this._minWidth;
  }

  // seconds - computed: false, optional: true, required: false
  private _seconds?: number;
  public get seconds() {
    return this.getNumberAttribute('seconds');
  }
  public set seconds(value: number) {
    this._seconds = value;
  }
  public resetSeconds() {
    this._seconds = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get secondsInput() {
    return this._seconds;
  }

  // tool_call - computed: false, optional: true, required: false
  private _toolCall?: string;
  public get toolCall() {
    return this.getStringAttribute('tool_call');
  }
  public set toolCall(value: string) {
    this._toolCall = value;
  }
  public resetToolCall() {
    this._toolCall = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get toolCallInput() {
    return this._toolCall;
  }

  // width - computed: false, optional: true, required: false
  private _width?: number;
  public get width() {
    return this.getNumberAttribute('width');
  }
  public set width(value: number) {
    this._width = value;
  }
  public resetWidth() {
    this._width = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get widthInput() {
    return this._width;
  }
}
export interface DataKeyplaneCheckTimeouts {
  /**
  * Longest time for a read, such as `10m` or `1h30m`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#read DataKeyplaneCheck#read}
  */
  readonly read?: string;
}

export function dataKeyplaneCheckTimeoutsToTerraform(struct?: DataKeyplaneCheckTimeouts | cdktn.IResolvable): any {
  if (!cdktn.canInspect(struct) || cdktn.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktn.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdktn.io/docs/concepts/resources#references");
  }
  return {
    read: cdktn.stringToTerraform(struct!.read),
  }
}


export function dataKeyplaneCheckTimeoutsToHclTerraform(struct?: DataKeyplaneCheckTimeouts | cdktn.IResolvable): any {
  if (!cdktn.canInspect(struct) || cdktn.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktn.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdktn.io/docs/concepts/resources#references");
  }
  const attrs = {
    read: {
      value: cdktn.stringToHclTerraform(struct!.read),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class DataKeyplaneCheckTimeoutsOutputReference extends cdktn.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktn.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktn.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): DataKeyplaneCheckTimeouts | cdktn.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._read !== undefined) {
      hasAnyValues = true;
      internalValueResult.read = this._read;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataKeyplaneCheckTimeouts | cdktn.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._read = undefined;
    }
    else if (cdktn.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._read = value.read;
    }
  }

  // read - computed: false, optional: true, required: false
  private _read?: string;
  public get read() {
    return this.getStringAttribute('read');
  }
  public set read(value: string) {
    this._read = value;
  }
  public resetRead() {
    this._read = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get readInput() {
    return this._read;
  }
}

/**
* Represents a {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check keyplane_check}
*/
export class DataKeyplaneCheck extends cdktn.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "keyplane_check";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTN code for importing a DataKeyplaneCheck resource upon running "cdktn plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataKeyplaneCheck to import
  * @param importFromId The id of the existing DataKeyplaneCheck that should be imported. Refer to the {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the DataKeyplaneCheck to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktn.TerraformProvider) {
        return new cdktn.ImportableResource(scope, importToId, { terraformResourceType: "keyplane_check", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/check keyplane_check} Data Source
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataKeyplaneCheckConfig
  */
  public constructor(scope: Construct, id: string, config: DataKeyplaneCheckConfig) {
    super(scope, id, {
      terraformResourceType: 'keyplane_check',
      terraformGeneratorMetadata: {
        providerName: 'keyplane',
        providerVersion: '0.0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    this._costly = config.costly;
    this._family = config.family;
    this._keyId = config.keyId;
    this._ledger = config.ledger;
    this._maxCostUsd = config.maxCostUsd;
    this._model = config.model;
    this._module = config.module;
    this._request = config.request;
    this._retries = config.retries;
    this._timeout = config.timeout;
    this._expect.internalValue = config.expect;
    this._timeouts.internalValue = config.timeouts;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // cost_quota - computed: true, optional: false, required: false
  public get costQuota() {
    return this.getNumberAttribute('cost_quota');
  }

  // cost_usd - computed: true, optional: false, required: false
  public get costUsd() {
    return this.getNumberAttribute('cost_usd');
  }

  // costly - computed: false, optional: true, required: false
  private _costly?: boolean | cdktn.IResolvable;
  public get costly() {
    return this.getBooleanAttribute('costly');
  }
  public set costly(value: boolean | cdktn.IResolvable) {
    this._costly = value;
  }
  public resetCostly() {
    this._costly = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get costlyInput() {
    return this._costly;
  }

  // family - computed: false, optional: true, required: false
  private _family?: string;
  public get family() {
    return this.getStringAttribute('family');
  }
  public set family(value: string) {
    this._family = value;
  }
  public resetFamily() {
    this._family = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get familyInput() {
    return this._family;
  }

  // key_id - computed: false, optional: false, required: true
  private _keyId?: number;
  public get keyId() {
    return this.getNumberAttribute('key_id');
  }
  public set keyId(value: number) {
    this._keyId = value;
  }
  // Temporarily expose input value. Use with caution.
  public get keyIdInput() {
    return this._keyId;
  }

  // ledger - computed: false, optional: true, required: false
  private _ledger?: string;
  public get ledger() {
    return this.getStringAttribute('ledger');
  }
  public set ledger(value: string) {
    this._ledger = value;
  }
  public resetLedger() {
    this._ledger = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get ledgerInput() {
    return this._ledger;
  }

  // max_cost_usd - computed: false, optional: true, required: false
  private _maxCostUsd?: number;
  public get maxCostUsd() {
    return this.getNumberAttribute('max_cost_usd');
  }
  public set maxCostUsd(value: number) {
    this._maxCostUsd = value;
  }
  public resetMaxCostUsd() {
    this._maxCostUsd = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get maxCostUsdInput() {
    return this._maxCostUsd;
  }

  // message - computed: true, optional: false, required: false
  public get message() {
    return this.getStringAttribute('message');
  }

  // model - computed: true, optional: true, required: false
  private _model?: string;
  public get model() {
    return this.getStringAttribute('model');
  }
  public set model(value: string) {
    this._model = value;
  }
  public resetModel() {
    this._model = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get modelInput() {
    return this._model;
  }

  // module - computed: false, optional: false, required: true
  private _module?: string;
  public get module() {
    return this.getStringAttribute('module');
  }
  public set module(value: string) {
    this._module = value;
  }
  // Temporarily expose input value. Use with caution.
  public get moduleInput() {
    return this._module;
  }

  // passed - computed: true, optional: false, required: false
  public get passed() {
    return this.getBooleanAttribute('passed');
  }

  // request - computed: false, optional: true, required: false
  private _request?: string;
  public get request() {
    return this.getStringAttribute('request');
  }
  public set request(value: string) {
    this._request = value;
  }
  public resetRequest() {
    this._request = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get requestInput() {
    return this._request;
  }

  // retries - computed: false, optional: true, required: false
  private _retries?: number;
  public get retries() {
    return this.getNumberAttribute('retries');
  }
  public set retries(value: number) {
    this._retries = value;
  }
  public resetRetries() {
    this._retries = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get retriesInput() {
    return this._retries;
  }

  // timeout - computed: false, optional: true, required: false
  private _timeout?: string;
  public get timeout() {
    return this.getStringAttribute('timeout');
  }
  public set timeout(value: string) {
    this._timeout = value;
  }
  public resetTimeout() {
    this._timeout = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get timeoutInput() {
    return this._timeout;
  }

  // verdict - computed: true, optional: false, required: false
  public get verdict() {
    return this.getStringAttribute('verdict');
  }

  // expect - computed: false, optional: true, required: false
  private _expect = new DataKeyplaneCheckExpectOutputReference(this, "expect");
  public get expect() {
    return this._expect;
  }
  public putExpect(value: DataKeyplaneCheckExpect) {
    this._expect.internalValue = value;
  }
  public resetExpect() {
    this._expect.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get expectInput() {
    return this._expect.internalValue;
  }

  // timeouts - computed: false, optional: true, required: false
  private _timeouts = new DataKeyplaneCheckTimeoutsOutputReference(this, "timeouts");
  public get timeouts() {
    return this._timeouts;
  }
  public putTimeouts(value: DataKeyplaneCheckTimeouts) {
    this._timeouts.internalValue = value;
  }
  public resetTimeouts() {
    this._timeouts.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get timeoutsInput() {
    return this._timeouts.internalValue;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      costly: cdktn.booleanToTerraform(this._costly),
      family: cdktn.stringToTerraform(this._family),
      key_id: cdktn.numberToTerraform(this._keyId),
      ledger: cdktn.stringToTerraform(this._ledger),
      max_cost_usd: cdktn.numberToTerraform(this._maxCostUsd),
      model: cdktn.stringToTerraform(this._model),
      module: cdktn.stringToTerraform(this._module),
      request: cdktn.stringToTerraform(this._request),
      retries: cdktn.numberToTerraform(this._retries),
      timeout: cdktn.stringToTerraform(this._timeout),
      expect: dataKeyplaneCheckExpectToTerraform(this._expect.internalValue),
      timeouts: dataKeyplaneCheckTimeoutsToTerraform(this._timeouts.internalValue),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      costly: {
        value: cdktn.booleanToHclTerraform(this._costly),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      family: {
        value: cdktn.stringToHclTerraform(this._family),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      key_id: {
        value: cdktn.numberToHclTerraform(this._keyId),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      ledger: {
        value: cdktn.stringToHclTerraform(this._ledger),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      max_cost_usd: {
        value: cdktn.numberToHclTerraform(this._maxCostUsd),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      model: {
        value: cdktn.stringToHclTerraform(this._model),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      module: {
        value: cdktn.stringToHclTerraform(this._module),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      request: {
        value: cdktn.stringToHclTerraform(this._request),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      retries: {
        value: cdktn.numberToHclTerraform(this._retries),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      timeout: {
        value: cdktn.stringToHclTerraform(this._timeout),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      expect: {
        value: dataKeyplaneCheckExpectToHclTerraform(this._expect.internalValue),
        isBlock: true,
        type: "struct",
        storageClassType: "DataKeyplaneCheckExpect",
      },
      timeouts: {
        value: dataKeyplaneCheckTimeoutsToHclTerraform(this._timeouts.internalValue),
        isBlock: true,
        type: "struct",
        storageClassType: "DataKeyplaneCheckTimeouts",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
