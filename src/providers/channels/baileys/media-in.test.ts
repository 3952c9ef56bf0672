import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encryptFile } from '#features/lab/server/whatsapp/phone-media.ts'
import { openFile } from './media-in.ts'

const key = { id: 'A', remoteJid: '5511988880301@s.whatsapp.net', fromMe: false, participant: '' }

/** Opens a file that the host sends in these parts; returns it with the requested URL. */
async function open(parts: Iterable<Uint8Array>, about: object, status = 200, environment = {}) {
  const asked: string[] = []
  const stream = async (url: string) => {
    asked.push(url)
    return { url, status, headers: {}, body: Readable.from(parts) }
  }
  const pointer = { field: 'imageMessage', url: '', path: '/v/foto', sum: '', key, ...about }
  const bytes = await buffer(await openFile({ stream, environment }, pointer))
  return { bytes, asked }
}

const keyOf = (about: { mediaKey: Uint8Array }) => ({ mediaKey: Buffer.from(about.mediaKey).toString('base64') })
const file = Buffer.from('Uma foto que não é nenhuma, com mais de um bloco.')

test('a file is the same however its bytes are cut, and with one of them changed or left out it is none', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      fc.nat(),
      async (plain, sizes, at) => {
        const { encrypted, about } = await encryptFile(plain, 'image')
        const whole = Buffer.from(encrypted)
        const parts: Buffer[] = []
        for (let from = 0, n = 0; from < whole.length; n++) {
          const next = from + sizes[n % sizes.length]!
          parts.push(whole.subarray(from, next))
          from = next
        }
        expect((await open(parts, keyOf(about))).bytes.equals(Buffer.from(plain))).toBe(true)
        const changed = Buffer.from(whole)
        changed[at % changed.length]! ^= 1
        await expect(open([changed], keyOf(about))).rejects.toThrow()
        await expect(open([whole.subarray(0, at % whole.length)], keyOf(about))).rejects.toThrow()
      },
    ),
    { numRuns: 20 },
  ))

test('a file that is another one than its message says is none', async () => {
  const { encrypted, about } = await encryptFile(file, 'image')
  const sum = (given: Uint8Array) => ({ ...keyOf(about), sum: Buffer.from(given).toString('base64') })
  expect((await open([encrypted], sum(about.fileSha256))).bytes.equals(file)).toBe(true)
  await expect(open([encrypted], sum(about.fileEncSha256))).rejects.toThrow('another sum')
})

test.each([
  ['whatever its message says', { url: 'https://rival.example/v/foto' }, {}, 'https://mmg.whatsapp.net/v/foto'],
  [
    'by its address alone',
    { url: 'https://mmg.whatsapp.net/v/x?a=1', path: '' },
    {},
    'https://mmg.whatsapp.net/v/x?a=1',
  ],
  [
    'at another server',
    { url: 'https://localhost:1/y' },
    { WHATSAPP_WEB_URL: 'ws://localhost' },
    'https://localhost:1/v/foto',
  ],
])('is looked for where files are, %s', async (_, about, environment, address) => {
  const { encrypted, about: keys } = await encryptFile(file, 'image')
  expect((await open([encrypted], { ...keyOf(keys), ...about }, 200, environment)).asked).toEqual([address])
})

test.each([
  ['a path that would name another host', { path: '@rival.example/' }, 200, { kind: 'refused' }],
  ['nothing there', {}, 404, { kind: 'refused' }],
  ['gone', {}, 410, { kind: 'refused' }],
  ['a host that fails', {}, 500, { message: 'a file: 500' }],
])('fails: %s', (_, about, status, error) => expect(open([], about, status)).rejects.toMatchObject(error))
