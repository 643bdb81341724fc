import { keyplaneProvider } from '../../src/terraform/keyplane/provider.ts';
import { encode } from '../../src/terraform/protocol/message.ts';
import { SchemaResponse } from '../../src/terraform/protocol/provider-messages.ts';
import { handlersOf } from '../../src/terraform/provider/handlers.ts';

/** Returns the response of the provider to `GetProviderSchema`, encoded and in Base64. */
export async function encodedSchema(): Promise<string> {
  const handlers = handlersOf(
    keyplaneProvider({}, () => 0),
    new AbortController(),
  );
  const response = await handlers.getProviderSchema({}, { signal: new AbortController().signal });
  return Buffer.from(encode(SchemaResponse, response)).toString('base64');
}
