import { expect, test } from 'vitest'
import { type FileLimits, whyNotFile } from './file-limits.ts'
import { PROGRAM } from './types.ts'

const limits: FileLimits = {
  image: { maxBytes: 5_000_000, mimes: ['image/jpeg', 'image/png'] },
  audio: { maxBytes: 16_000_000, mimes: ['audio/ogg', 'audio/x-wav'] },
  document: { maxBytes: 100_000 },
}

test.each([
  ['image/jpeg', 5_000_000, null],
  ['IMAGE/PNG', 1, null],
  ['audio/ogg; codecs=opus', 1, null],
  ['application/pdf', 100_000, null],
  // Some browsers do not know what it is: the server looks into it.
  ['', 1, null],
  ['image/webp', 1, 'Este canal leva imagens só em JPEG e PNG. Converta o arquivo antes.'],
  ['audio/aac', 1, 'Este canal leva áudios só em OGG e WAV. Converta o arquivo antes.'],
  ['video/mp4', 1, 'Este canal não leva vídeos, só imagens, áudios e documentos.'],
  ['image/png', 5_000_001, 'Este canal leva imagens de até 5 MB. Reduza o arquivo, ou mande um link.'],
  ['text/plain', 250_000, 'Este canal leva documentos de até 100 kB. Reduza o arquivo, ou mande um link.'],
])('%s of %i bytes', (mime, size, reason) => expect(whyNotFile(limits, { mime, size })).toBe(reason))

test('a kind that a file is sent as counts, and a channel without files says so', () => {
  expect(whyNotFile({ sticker: { maxBytes: 9 } }, { mime: 'image/webp', size: 9 }, 'sticker')).toBeNull()
  expect(whyNotFile({ sticker: { maxBytes: 9 } }, { mime: 'image/webp', size: 9 })).toBe(
    'Este canal não leva imagens, só figurinhas.',
  )
  expect(whyNotFile({ document: { maxBytes: 9 } }, { mime: PROGRAM, size: 1 })).toMatch(/^Programas não saem daqui/)
  expect(whyNotFile({}, { mime: 'image/webp', size: 9 })).toBe('Este canal não leva arquivos. Mande um link.')
})
