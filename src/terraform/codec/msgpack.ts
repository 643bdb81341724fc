export { type Decode, decodeValue, openSharedDecoder } from './msgpack-read.ts';
export { encodeValue } from './msgpack-write.ts';
