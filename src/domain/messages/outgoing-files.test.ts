import { expect, test } from 'vitest'
import type { FileLimits } from './file-limits.ts'
import { type FileWish, wayOf } from './outgoing-files.ts'

const MB = 1024 * 1024
const limits: FileLimits = {
  image: { maxBytes: 16 * MB, mimes: ['image/jpeg', 'image/png'] },
  video: { maxBytes: 64 * MB, mimes: ['video/mp4'] },
  audio: { maxBytes: 16 * MB, mimes: ['audio/ogg', 'audio/mpeg', 'audio/aac'], voice: true },
  document: { maxBytes: 100 * MB },
  sticker: { maxBytes: MB, mimes: ['image/webp'] },
}
const way = (mime: string, wish: FileWish | null, canTranscode: boolean, of: FileLimits = limits) =>
  wayOf(of, { mime, size: 1000 }, wish, canTranscode)

test.each([
  // MIME type, wished form, whether the installation can transcode; type of the message, and target form.
  ['audio/mpeg', 'voice', false, 'audio', 'voice'],
  ['audio/webm;codecs=opus', 'voice', false, 'audio', 'voice'],
  ['video/webm', 'voice', false, 'audio', 'voice'],
  ['audio/aac', 'voice', true, 'audio', 'voice'],
  ['audio/aac', 'voice', false, 'audio', null],
  ['audio/amr', 'voice', false, 'document', null],
  ['audio/mpeg', null, true, 'audio', null],
  ['audio/flac', null, true, 'document', null],
  ['image/gif', 'sticker', false, 'sticker', 'sticker'],
  ['video/mp4', null, false, 'video', null],
  ['video/quicktime', null, false, 'video', 'mp4'],
  ['video/webm', null, true, 'video', 'mp4'],
  ['video/webm', null, false, 'document', null],
  ['application/pdf', 'voice', true, 'document', null],
] as const)(
  '%s wanted as %s, with another program: %s, leaves as %s, made into %s',
  (mime, wish, can, kind, conversion) => {
    expect(way(mime, wish, can)).toMatchObject({ kind, conversion })
  },
)

test.each([
  ['audio/aac', 'voice', 'vai como arquivo de áudio'],
  ['audio/amr', 'voice', 'vai como documento'],
  ['video/webm', null, 'vai como documento'],
  ['video/quicktime', null, 'senão, como documento'],
] as const)('of %s it is said beforehand what becomes of it', (mime, wish, said) => {
  expect(way(mime, wish, false)).toMatchObject({ notice: expect.stringContaining(said) })
})

test('what leaves as it is is said nothing of, and what a channel takes in no form is refused with the way out', () => {
  expect(way('audio/ogg', 'voice', false)).toEqual({ kind: 'audio', conversion: 'voice', notice: null })
  expect(way('image/gif', null, true)).toMatchObject({ problem: expect.stringContaining('Converta o arquivo') })
  expect(way('application/pdf', 'sticker', true)).toMatchObject({ problem: expect.stringContaining('imagens') })
  const { sticker: _, document: __, ...few } = limits
  expect(way('image/png', 'sticker', true, few)).toMatchObject({ problem: expect.stringContaining('figurinhas') })
  expect(way('audio/amr', 'voice', false, few)).toMatchObject({ problem: expect.stringContaining('áudios só em') })
  expect(wayOf(limits, { mime: 'video/quicktime', size: 200 * MB }, null, false)).toHaveProperty('problem')
})
