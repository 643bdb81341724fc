/**
 * One AAC-LC frame of a quiet tone: 44,100 Hz, one channel, 1,024 samples, which are ten whole periods, so that the frame
 * can be repeated without end. Made once with
 * `ffmpeg -f lavfi -i sine=frequency=430.6640625:sample_rate=44100 -af volume=0.25 -ac 1 -c:a aac -b:a 24k -f adts tone.aac`,
 * the frame taken from its middle, without its ADTS header.
 */
const FRAME = 'AT4vADZyGARCARVoRDpH//D/t/+1//j9+Xxvme3Ml+POmP+ZzWgAXN6aNHDLsTx954rTRVa4kcIySIlIkhQUiSUUAo4=';

export const TONE = {
  frame: new Uint8Array(Buffer.from(FRAME, 'base64')),
  sampleRate: 44_100,
  samples: 1024,
  /** AudioSpecificConfig: AAC-LC, 44,100 Hz, one channel. */
  description: new Uint8Array([0x12, 0x08]),
  codec: 'mp4a.40.2',
} as const;
