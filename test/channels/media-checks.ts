import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { FileKind } from '#domain/messages/file-limits.ts'
import type { Arrived, RecordedFile } from './contact-end.ts'
import type { World } from './world.ts'

/** Form that a file is to have at the contact. */
export type Wish = 'isVoice' | 'isSticker'
type Arrives = (world: World, what: { file: RecordedFile; wish?: Wish; isOnce?: boolean }) => Promise<Arrived>

const recorded = (name: string, mime: string): RecordedFile => ({
  ...{ name, mime },
  base64: readFileSync(join(import.meta.dirname, '../media', name)).toString('base64'),
})

/**
 * Checks that a recording is sent as a voice note (Ogg Opus, one channel, length and waveform), and as plain audio unless
 * requested.
 */
export async function voiceCheck(world: World, arrives: Arrives): Promise<void> {
  const file = recorded('tone.mp3', 'audio/mpeg')
  const { voice, file: arrived } = await arrives(world, { file, wish: 'isVoice' })
  if (voice !== true) expect(voice).toEqual({ seconds: 1, bars: 64 })
  const start = Buffer.from(arrived!.bytes).toString('latin1', 0, 64)
  expect(start).toMatch(/^OggS.*OpusHead\x01\x01/s)
  expect(await arrives(world, { file })).toMatchObject({ voice: null, file: { bytes: expect.anything() } })
}

/** A file of each kind arrives to be seen or heard once, and otherwise as often as one wants; of sounds voice notes alone. */
export async function onceCheck(world: World, kinds: readonly FileKind[], arrives: Arrives): Promise<void> {
  const tone = recorded('tone.mp3', 'audio/mpeg')
  for (const kind of kinds) {
    const file = kind === 'audio' ? tone : world.fixtures[kind]!.file!
    const how = kind === 'audio' ? ({ wish: 'isVoice' } as const) : {}
    const arrived = await arrives(world, { file, ...how, isOnce: true })
    expect(arrived, kind).toMatchObject({ isOnce: true, file: { bytes: expect.anything() } })
    expect(await arrives(world, { file, ...how }), kind).toMatchObject({ isOnce: false })
  }
}

/** A picture leaves as a sticker: a square WebP. */
export async function stickerCheck(world: World, arrives: Arrives): Promise<void> {
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#3a7d5b' } })
    .png()
    .toBuffer()
  const file = { name: 'logo.png', mime: 'image/png', base64: picture.toString('base64') }
  const arrived = await arrives(world, { file, wish: 'isSticker' })
  expect(arrived.isSticker).toBe(true)
  expect(await sharp(arrived.file!.bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 })
}
