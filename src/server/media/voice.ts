import { createDecoder, createEncoder, type OpusDecoderHandle, type OpusEncoderHandle } from 'libopus-wasm'
import {
  AudioSample,
  AudioSampleSink,
  Conversion,
  CustomAudioDecoder,
  CustomAudioEncoder,
  EncodedPacket,
  FilePathSource,
  FilePathTarget,
  Input,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  OggOutputFormat,
  Output,
  QTFF,
  registerDecoder,
  registerEncoder,
  WAVE,
  WEBM,
} from 'mediabunny'
import { MPEGDecoder } from 'mpg123-decoder'
import { type Loudness, loudness } from '#domain/messages/waveform.ts'

/** Duration of a voice note, and its loudness over time (64 numbers of 0–100). */
export type Voice = { readonly durationMs: number; readonly waveform: readonly number[] }

const RATE = 48_000
/** Samples per packet: 20 ms. */
const FRAME = 960
const BITRATE = 32_000

/** Opus encoder (libopus in WebAssembly); the packets of voice notes have one channel. */
class OpusEncoder extends CustomAudioEncoder {
  static override supports = (codec: string): boolean => codec === 'opus'
  #encoder!: OpusEncoderHandle
  #frame = new Float32Array(FRAME)
  #filled = 0
  #packets = 0

  async init() {
    this.#encoder = await createEncoder({ channels: 1, sampleRate: RATE, bitrate: BITRATE, complexity: 5 })
  }
  encode(sample: AudioSample) {
    const given = new Float32Array(sample.numberOfFrames)
    sample.copyTo(given, { planeIndex: 0, format: 'f32-planar' })
    for (let at = 0; at < given.length; ) {
      const part = given.subarray(at, at + FRAME - this.#filled)
      this.#frame.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === FRAME) this.#write()
    }
  }
  flush() {
    if (this.#filled > 0) this.#write()
  }
  close() {
    this.#encoder.free()
  }
  #write() {
    const data = this.#encoder.encodeFloat(this.#frame.fill(0, this.#filled))
    this.#filled = 0
    const meta = this.#packets === 0 ? { decoderConfig: this.#config() } : {}
    const seconds = FRAME / RATE
    this.onPacket(new EncodedPacket(data, 'key', this.#packets++ * seconds, seconds), meta)
  }
  /** Builds the identification header (RFC 7845, section 5.1). */
  #config() {
    const description = new Uint8Array(19)
    const view = new DataView(description.buffer)
    description.set(new TextEncoder().encode('OpusHead\x01\x01'))
    view.setUint16(10, this.#encoder.getLookahead(), true)
    view.setUint32(12, RATE, true)
    return { codec: 'opus', numberOfChannels: 1, sampleRate: RATE, description }
  }
}

class OpusDecoder extends CustomAudioDecoder {
  static override supports = (codec: string): boolean => codec === 'opus'
  #decoder!: OpusDecoderHandle

  async init() {
    const channels = this.config.numberOfChannels === 1 ? 1 : 2
    this.#decoder = await createDecoder({ channels, sampleRate: RATE })
  }
  decode({ data, timestamp }: EncodedPacket) {
    const { channels } = this.#decoder
    const about = { format: 'f32', numberOfChannels: channels, sampleRate: RATE, timestamp } as const
    this.onSample(new AudioSample({ data: this.#decoder.decodeFloat(data), ...about }))
  }
  flush() {}
  close() {
    this.#decoder.free()
  }
}

class Mp3Decoder extends CustomAudioDecoder {
  static override supports = (codec: string): boolean => codec === 'mp3'
  #decoder = new MPEGDecoder()

  init() {
    return this.#decoder.ready
  }
  decode({ data, timestamp }: EncodedPacket) {
    const { channelData, samplesDecoded, sampleRate } = this.#decoder.decodeFrame(data)
    if (samplesDecoded === 0) return
    const planes = new Float32Array(channelData.length * samplesDecoded)
    for (const [channel, samples] of channelData.entries())
      planes.set(samples.subarray(0, samplesDecoded), channel * samplesDecoded)
    const about = { format: 'f32-planar', numberOfChannels: channelData.length, sampleRate, timestamp } as const
    this.onSample(new AudioSample({ data: planes, ...about }))
  }
  flush() {}
  close() {
    this.#decoder.free()
  }
}

let isRegistered = false

function register() {
  if (isRegistered) return
  isRegistered = true
  registerEncoder(OpusEncoder)
  for (const decoder of [OpusDecoder, Mp3Decoder]) registerDecoder(decoder)
}

/**
 * Converts a recording (Ogg or WebM with Opus, MP3, WAVE) to a voice note: Ogg Opus with one channel, remuxed if it is that
 * already. Fails for formats that it cannot decode, such as AAC and AMR.
 */
export async function makeVoice(from: string, to: string): Promise<Voice> {
  register()
  using input = new Input({ source: new FilePathSource(from), formats: [OGG, WEBM, MATROSKA, MP3, WAVE, MP4, QTFF] })
  const track = await input.getPrimaryAudioTrack()
  if (!track) throw new Error('no sound')
  const isVoice = track.codec === 'opus' && track.numberOfChannels === 1
  const audio = { codec: 'opus', numberOfChannels: 1, sampleRate: RATE, bitrate: BITRATE } as const
  const output = new Output({ format: new OggOutputFormat(), target: new FilePathTarget(to) })
  const conversion = await Conversion.init({
    ...{ input, output, video: { discard: true }, tags: {}, showWarnings: false },
    audio: isVoice ? {} : audio,
  })
  if (!conversion.isValid) {
    await output.cancel()
    throw new Error(conversion.discardedTracks.map(({ reason }) => reason).join())
  }
  await conversion.execute()
  return measure(to)
}

/** Measures duration and waveform of a voice note, packet by packet. */
async function measure(path: string): Promise<Voice> {
  using input = new Input({ source: new FilePathSource(path), formats: [OGG] })
  const track = await input.getPrimaryAudioTrack()
  const measured: Loudness = loudness(RATE / 50)
  let samples = new Float32Array(0)
  for await (using sample of new AudioSampleSink(track!).samples()) {
    if (samples.length < sample.numberOfFrames) samples = new Float32Array(sample.numberOfFrames)
    sample.copyTo(samples, { planeIndex: 0, format: 'f32-planar' })
    measured.add(samples.subarray(0, sample.numberOfFrames))
  }
  if (measured.samples() === 0) throw new Error('no sound')
  return { durationMs: Math.round((measured.samples() / RATE) * 1000), waveform: measured.waveform() }
}
