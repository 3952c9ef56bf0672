import { expect, test } from 'vitest'
import { signed, unsigned } from '#domain/messages/signature.ts'
import { barCount, barsOf } from '../media/audio.ts'
import { problemOf } from './attachments.ts'
import { matching } from './matching.ts'
import { answered, askedAt } from './suggestions.ts'
import { opusSamples, webmToOgg } from './webm-to-ogg.ts'

test.each<[string, string, number | null]>([
  ['/troca', '/', 0],
  ['Oi /tro', '/', 3],
  ['linha\n/x', '/', 6],
  ['@cam', '@', 0],
  ['https://loja', '/', null],
  ['e/ou', '/', null],
  ['ana@loja', '@', null],
  ['/troca pronta', '/', null],
])('what is asked for at the end of %j', (text, sign, from) => {
  const asked = askedAt(text, text.length)
  expect(asked && { sign: asked.sign, from: asked.from }).toEqual(from === null ? null : { sign, from })
})

test('an answer takes the place of what was typed and leaves the caret behind it', () => {
  const text = 'Oi /tro e mais'
  const asked = askedAt(text, 7)
  expect(asked && answered(text, asked, 'Trocamos.')).toEqual({ text: 'Oi Trocamos. e mais', caret: 12 })
})

test('keys that begin with what was typed come first, accents aside', () => {
  const all = ['trocanota', 'posvenda', 'troca']
  expect(matching(all, 'TROÇA', String, (one) => (one === 'posvenda' ? 'prazo da troca' : ''))).toEqual([
    'trocanota',
    'troca',
    'posvenda',
  ])
})

test('a signature is written before the text and not shown twice', () => {
  expect(signed('Oi', 'Ana Lemos')).toBe('*Ana Lemos*:\nOi')
  expect(signed('', 'Ana Lemos')).toBe('')
  expect(unsigned('*Ana Lemos*:\nOi', 'Ana Lemos')).toBe('Oi')
  expect(unsigned('*Ana Lemos*:\nOi', 'Bia')).toBe('*Ana Lemos*:\nOi')
  expect(signed('Oi', 'Ana Lemos', 'Vendas')).toBe('*Ana Lemos · Vendas*:\nOi')
  expect(unsigned('*Ana Lemos · Vendas*:\nOi', 'Ana Lemos')).toBe('Oi')
  expect(unsigned('*Ana Lemos disse*:\nOi', 'Ana Lemos')).toBe('*Ana Lemos disse*:\nOi')
})

test('a file that the channel would refuse is refused before it is sent', () => {
  const limits = { image: { maxBytes: 1_000_000, mimes: ['image/png'] } }
  expect(problemOf({ size: 999_999, type: 'image/png' }, limits)).toBeNull()
  expect(problemOf({ size: 2_000_000, type: 'image/png' }, limits)).toMatch('até 1 MB')
  expect(problemOf({ size: 10, type: 'image/jpeg' }, limits)).toMatch('só em PNG')
  expect(problemOf({ size: 0, type: 'image/png' }, limits)).toBe('O arquivo está vazio.')
})

test('the bars of a recording follow its loudness', () => {
  const samples = Float32Array.from({ length: barCount * 10 }, (_, at) => (at < barCount * 5 ? 0.1 : 0.5))
  const bars = barsOf(samples)
  expect(bars).toHaveLength(barCount)
  expect(bars[0]).toBeCloseTo(0.2)
  expect(bars.at(-1)).toBe(1)
})

/** A WebM as Chrome's recorder makes it: open sizes, one cluster, one packet per block. */
function webm(packets: readonly Uint8Array[]): ArrayBuffer {
  const open = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
  const sized = (id: number[], body: number[]) => [...id, 0x40 | (body.length >> 8), body.length & 255, ...body]
  const head = [...new TextEncoder().encode('OpusHead'), 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0]
  const blocks = packets.flatMap((packet) => sized([0xa3], [0x81, 0, 0, 0x80, ...packet]))
  const tracks = sized([0x16, 0x54, 0xae, 0x6b], sized([0xae], sized([0x63, 0xa2], head)))
  return Uint8Array.from([
    ...sized([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x86, 0x81, 1]),
    ...[0x18, 0x53, 0x80, 0x67],
    ...open,
    ...tracks,
    ...[0x1f, 0x43, 0xb6, 0x75],
    ...open,
    ...blocks,
  ]).buffer
}

test('the packets of a WebM recording are the packets of the Ogg, with their time and a checksum per page', async () => {
  const packets = Array.from({ length: 60 }, (_, index) =>
    Uint8Array.from([0x78, index, ...new Array(index * 6).fill(index)]),
  )
  const ogg = webmToOgg(webm(packets))
  const bytes = new Uint8Array(await (ogg as Blob).arrayBuffer())
  const pages: { flags: number; granule: bigint; packets: number[][] }[] = []
  for (let at = 0; at < bytes.length; ) {
    expect(String.fromCharCode(...bytes.slice(at, at + 4))).toBe('OggS')
    const view = new DataView(bytes.buffer, at)
    const lacing = [...bytes.slice(at + 27, at + 27 + (bytes[at + 26] as number))]
    const found: number[][] = [[]]
    let body = at + 27 + lacing.length
    for (const lace of lacing) {
      found.at(-1)?.push(...bytes.slice(body, body + lace))
      if (lace < 255) found.push([])
      body += lace
    }
    pages.push({ flags: bytes[at + 5] as number, granule: view.getBigInt64(6, true), packets: found.slice(0, -1) })
    at = body
  }
  expect(pages[0]?.flags).toBe(2)
  expect(pages.at(-1)?.flags).toBe(4)
  expect(pages.slice(2).flatMap((page) => page.packets)).toEqual(packets.map((packet) => [...packet]))
  expect(pages.at(-1)?.granule).toBe(BigInt(60 * 960))
  expect(webmToOgg(new ArrayBuffer(8))).toBeNull()
})

test.each([
  [0x08, 960],
  [0x18, 2880],
  [0x60, 480],
  [0xf8, 960],
  [0xe0, 120],
  [0xf9, 1920],
])('an Opus packet that begins with %i lasts %i samples', (first, samples) => {
  expect(opusSamples(Uint8Array.of(first, 0))).toBe(samples)
})
