import { Conversion, FilePathSource, FilePathTarget, Input, MP4, Mp4OutputFormat, Output, QTFF } from 'mediabunny'

/** Remuxes a film of H.264 and AAC into an MP4, packet by packet; fails for other codecs. */
export async function remux(from: string, to: string): Promise<void> {
  using input = new Input({ source: new FilePathSource(from), formats: [MP4, QTFF] })
  const [film, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  if (film?.codec !== 'avc' || (sound && sound.codec !== 'aac')) throw new Error('not H.264 with AAC')
  const output = new Output({ format: new Mp4OutputFormat(), target: new FilePathTarget(to) })
  const conversion = await Conversion.init({ input, output, tags: {}, showWarnings: false })
  if (!conversion.isValid) {
    await output.cancel()
    throw new Error(conversion.discardedTracks.map(({ reason }) => reason).join())
  }
  await conversion.execute()
}
