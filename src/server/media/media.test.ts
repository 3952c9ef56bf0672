import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ALL_FORMATS,
  Conversion,
  EncodedPacketSink,
  FilePathSource,
  FilePathTarget,
  Input,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { toMp4, toVoice } from './convert.ts'
import { transcode, transcoderOf } from './ffmpeg.ts'
import { makeSticker } from './sticker.ts'
import { makeVoice } from './voice.ts'

const folder = mkdtempSync(join(tmpdir(), 'guiche-media-'))
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0
const fresh = () => join(folder, `${++count}`)
const sample = (name: string) => join(import.meta.dirname, '../../../test/media', name)
const written = (bytes: Uint8Array) => {
  const path = fresh()
  writeFileSync(path, bytes)
  return path
}
/** Transcoder for other formats, if this machine has one. */
const program = transcoderOf({ FFMPEG_PATH: process.env['FFMPEG_PATH'] })

async function soundOf(path: string) {
  using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
  const track = (await input.getPrimaryAudioTrack())!
  const packets: string[] = []
  for await (const { data } of new EncodedPacketSink(track).packets()) packets.push(Buffer.from(data).toString('hex'))
  const { codec, numberOfChannels, sampleRate } = track
  return { mime: await input.getMimeType(), codec, numberOfChannels, sampleRate, packets }
}
const VOICE = { mime: expect.stringContaining('audio/ogg'), codec: 'opus', numberOfChannels: 1, sampleRate: 48_000 }

test('an MP3 becomes Ogg Opus with one channel, with its length and how loud it is', async () => {
  const to = fresh()
  const { durationMs, waveform } = await makeVoice(sample('tone.mp3'), to)
  expect(await soundOf(to)).toMatchObject(VOICE)
  expect(Math.abs(durationMs - 1000)).toBeLessThan(150)
  expect(waveform).toHaveLength(64)
  // The recording grows louder.
  expect(waveform[55]).toBeGreaterThan(waveform[15]! * 1.5)
  expect(Math.max(...waveform)).toBe(100)
})

test('Opus with two channels becomes one with one', async () => {
  const to = fresh()
  expect(await soundOf(sample('stereo.ogg'))).toMatchObject({ codec: 'opus', numberOfChannels: 2 })
  const { durationMs } = await makeVoice(sample('stereo.ogg'), to)
  expect(await soundOf(to)).toMatchObject(VOICE)
  expect(Math.abs(durationMs - 1000)).toBeLessThan(150)
})

test('packets that are Opus already are taken over, out of the WebM of a browser too', async () => {
  const [ogg, webm, again] = [fresh(), fresh(), fresh()]
  const first = await makeVoice(sample('tone.mp3'), ogg)
  const input = new Input({ source: new FilePathSource(ogg), formats: ALL_FORMATS })
  const output = new Output({ format: new WebMOutputFormat(), target: new FilePathTarget(webm) })
  await (await Conversion.init({ input, output })).execute()
  expect(await makeVoice(webm, again)).toEqual(first)
  expect(await soundOf(again)).toMatchObject({ ...VOICE, packets: (await soundOf(ogg)).packets })
})

test('a recording without compression becomes one; silence is flat; in a thread of its own', async () => {
  const samples = Buffer.alloc(44 + 16_000 * 2)
  samples.write('RIFF', 0)
  samples.writeUInt32LE(36 + 32_000, 4)
  samples.write('WAVEfmt ', 8)
  samples.writeUInt32LE(16, 16)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    samples.writeUInt16LE(value, at)
  for (const [at, value] of [
    [24, 16_000],
    [28, 32_000],
    [40, 32_000],
  ] as const)
    samples.writeUInt32LE(value, at)
  samples.write('data', 36)
  const to = fresh()
  const voice = await toVoice(null, { mime: 'audio/wav', from: written(samples), to })
  expect(Math.abs(voice.durationMs - 1000)).toBeLessThan(50)
  expect(voice.waveform).toEqual(Array(64).fill(0))
  expect(await soundOf(to)).toMatchObject(VOICE)
})

test.each([
  ['AAC', readFileSync(sample('tone.m4a'))],
  ['AMR', readFileSync(sample('tone.amr'))],
  ['no sound', readFileSync(sample('film.webm'))],
  ['half a file', readFileSync(sample('tone.mp3')).subarray(0, 20)],
  ['nothing', Buffer.from('OggS')],
])('what we cannot read ourselves fails, and the next one works: %s', async (_, bytes) => {
  await expect(toVoice(null, { mime: 'audio/mpeg', from: written(bytes), to: fresh() })).rejects.toThrow()
  expect(await toVoice(null, { mime: 'audio/mpeg', from: sample('tone.mp3'), to: fresh() })).toHaveProperty('waveform')
})

test('a film of H.264 and AAC goes into an MP4 packet by packet; another one fails', async () => {
  const to = fresh()
  await toMp4(null, { mime: 'video/quicktime', from: sample('film.mov'), to })
  expect(await soundOf(to)).toMatchObject({
    ...{ mime: expect.stringContaining('video/mp4'), codec: 'aac' },
    packets: (await soundOf(sample('film.mov'))).packets,
  })
  await expect(toMp4(null, { mime: 'video/webm', from: sample('film.webm'), to: fresh() })).rejects.toThrow()
})

test.runIf(program).each([
  ['audio/x-m4a', 'tone.m4a'],
  ['audio/amr', 'tone.amr'],
] as const)('with another program %s becomes a voice note', async (mime, name) => {
  const to = fresh()
  const { durationMs } = await toVoice(program, { mime, from: sample(name), to })
  expect(Math.abs(durationMs - 1000)).toBeLessThan(200)
  expect(await soundOf(to)).toMatchObject(VOICE)
})

test.runIf(program)('with another program a film of any kind becomes an MP4 that phones show', async () => {
  const to = fresh()
  await toMp4(program, { mime: 'video/webm', from: sample('film.webm'), to })
  using input = new Input({ source: new FilePathSource(to), formats: ALL_FORMATS })
  expect((await input.getPrimaryVideoTrack())!.codec).toBe('avc')
})

test('the other program runs with limits, without our secrets and our network, told what to read; its failure is ours', async () => {
  const script = fresh()
  const lines = [
    '#!/bin/sh',
    'for last; do :; done',
    'exec > "$(echo "$last" | cut -c6-)"',
    'ulimit -t; ulimit -v; ulimit -f',
  ]
  const networks = "sed -n 's/^ *\\([a-z0-9]*\\):.*/net \\1/p' /proc/net/dev"
  writeFileSync(script, [...lines, 'env', 'echo "$@"', networks].join('\n'))
  chmodSync(script, 0o700)
  process.env['SECRET_KEY'] = 'ours'
  const to = fresh()
  await transcode(script, { mime: 'audio/x-m4a', from: sample('tone.m4a'), to }, 'wav').finally(() => {
    delete process.env['SECRET_KEY']
  })
  const said = readFileSync(to, 'utf8')
  expect(said).toMatch(/^60\n2000000\n800000\n/)
  expect(said).not.toContain('ours')
  // If a user may leave the network namespace, only the machine itself is reachable.
  const isOut = spawnSync('unshare', ['-rn', 'true']).status === 0
  if (isOut) expect(said.match(/^net .*$/gm)).toEqual(['net lo'])
  expect(said).toMatch(/-protocol_whitelist file -f mov -i file:/)
  await expect(transcode(script, { mime: 'text/plain', from: script, to }, 'wav')).rejects.toThrow('demuxer')
  await expect(transcode('/bin/false', { mime: 'audio/aac', from: script, to }, 'wav')).rejects.toThrow('ended with 1')
})

test('a picture becomes a sticker: square, whole, small; one that moves goes on moving', async () => {
  const still = fresh()
  const noise = Buffer.from(Array.from({ length: 600 * 400 * 3 }, (_, n) => (n * 2_654_435_761) % 251))
  const photo = await sharp(noise, { raw: { width: 600, height: 400, channels: 3 } })
    .png()
    .toBuffer()
  await makeSticker(written(photo), still)
  expect(await sharp(still).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512, hasAlpha: true })
  expect(readFileSync(still).length).toBeLessThanOrEqual(100_000)
  const frames = await Promise.all(
    ['#ff0000', '#00ff00'].map((background) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const moving = fresh()
  await makeSticker(written(gif), moving)
  expect(await sharp(moving, { animated: true }).metadata()).toMatchObject({
    format: 'webp',
    pages: 2,
    pageHeight: 512,
  })
})
