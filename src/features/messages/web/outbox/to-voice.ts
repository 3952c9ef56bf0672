import {
  ADTS,
  BlobSource,
  BufferTarget,
  Conversion,
  FLAC,
  Input,
  MP3,
  MP4,
  OGG,
  OggOutputFormat,
  Output,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'

const RATE = 48_000
const BITRATE = 32_000

const FORMATS = [OGG, WEBM, MP3, WAVE, MP4, QTFF, ADTS, FLAC]

/** Converts a recording to a voice note (mono Ogg Opus); null if this browser cannot. */
export async function toVoice(blob: Blob): Promise<Blob | null> {
  try {
    const input = new Input({ source: new BlobSource(blob), formats: FORMATS })
    const track = await input.getPrimaryAudioTrack()
    if (!track) return null
    const isVoice = track.codec === 'opus' && track.numberOfChannels === 1
    const output = new Output({ format: new OggOutputFormat(), target: new BufferTarget() })
    const conversion = await Conversion.init({
      ...{ input, output, video: { discard: true }, tags: {}, showWarnings: false },
      audio: isVoice ? {} : { codec: 'opus', numberOfChannels: 1, sampleRate: RATE, bitrate: BITRATE },
    })
    if (!conversion.isValid) return null
    await conversion.execute()
    return output.target.buffer && new Blob([output.target.buffer], { type: 'audio/ogg' })
  } catch {
    return null
  }
}
