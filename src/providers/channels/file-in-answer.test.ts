import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { outboundStream } from '#server/outbound.ts'
import { gatewayFiles } from './file-in-answer.ts'
import { GatewayRefusal } from './gateway-calls.ts'

const MB = 1024 * 1024
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Requests a file over HTTP from a server with this response. */
async function asker(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  onChunk: (chunk: Buffer) => void = () => {},
) {
  const server = createServer((request, response) => void request.resume().on('end', () => answer(request, response)))
  ends.push(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const stream = async (address: string, request: object = {}) => {
    const answered = await outboundStream({ allow: ['127.0.0.1'] }, address, request)
    const passing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        onChunk(chunk)
        done(null, chunk)
      },
    })
    pipeline(answered.body, passing, () => {})
    return { ...answered, body: passing }
  }
  return gatewayFiles({ stream }, { name: 'o gateway', url, headers: { apikey: 'k' } })
}
/** Requests a file whose response is a text, in pieces of `pieces` characters. */
const answering = (text: string, { status = 200, pieces = text.length || 1 } = {}) =>
  asker((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    const parts = Array.from({ length: Math.ceil(text.length / pieces) }, (_, n) =>
      text.slice(n * pieces, (n + 1) * pieces),
    )
    Readable.from(parts).pipe(response)
  })
const call = { json: { id: 'A' }, field: 'data' }

const bytes = randomBytes(1000)
const base64 = bytes.toString('base64')
const whole = JSON.stringify({ code: 200, success: true, data: { caption: '"data":"AAAA"', Data: base64, Mime: 'x' } })

test.each([
  ['as it is', base64],
  ['behind its kind', `data:audio/ogg; codecs=opus;base64,${base64}`],
  [
    'with every sign escaped that some escape',
    base64.replaceAll('/', '\\/').replaceAll('=', '\\u003d').replaceAll('+', '\\u002B'),
  ],
])('a file that stands in JSON comes out %s, however it is cut', async (_, written) => {
  for (const pieces of [1, 3, 7, 64, 100_000]) {
    const ask = await answering(whole.replace(base64, written), { pieces })
    const { file } = await ask('/x', call)
    expect((await buffer(file!)).equals(bytes), `${pieces}`).toBe(true)
  }
})

test('where there is no file, what was said instead is there; a refusal is one', async () => {
  const none = async (text: string, about = {}) => (await answering(text, about))('/x', call)
  expect(await none('{"success":false,"code":500}')).toEqual({ file: null, answer: { success: false, code: 500 } })
  expect(await none('{"data":""}')).toEqual({ file: null, answer: { data: '' } })
  expect(await none('{"data":"data:image/png;base64,"}')).toMatchObject({ file: null })
  expect(await none('')).toEqual({ file: null, answer: {} })
  expect(await none('<html>')).toEqual({ file: null, answer: {} })
  expect(await none(`{"x":"${'a'.repeat(400_000)}"}`)).toEqual({ file: null, answer: {} })
  const refused = await none(`{"data":"${base64}"}`, { status: 404 }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(GatewayRefusal)
  expect(refused).toMatchObject({ status: 404, answer: { data: base64 } })
})

test('an answer that ends within its file is no file', async () => {
  for (const text of [whole.slice(0, whole.indexOf(base64) + 500), `{"data":"${base64}`]) {
    const { file } = await (await answering(text))('/x', call)
    await expect(buffer(file!)).rejects.toThrow('within its file')
  }
  const ask = await asker((_request, response) => {
    response.writeHead(200, { 'content-length': '100000' })
    response.write(`{"data":"${base64}`)
    setTimeout(() => response.destroy(), 20)
  })
  await expect(ask('/x', call).then(({ file }) => buffer(file!))).rejects.toThrow()
})

test('of twenty large files at once only what passes by lies in memory', async () => {
  const size = 4 * MB
  const block = randomBytes(48 * 1024)
  const text = block.toString('base64')
  // Bytes received, bytes passed on as a file, and the maximum in between.
  const passing = { came: 0, left: 0, most: 0 }
  const ask = await asker(
    async (_request, response) => {
      response.writeHead(200)
      response.write('{"data":"')
      for (let n = 0; n < Math.ceil(size / block.length); n++)
        if (!response.write(text)) await new Promise<void>((done) => response.once('drain', done))
      response.end('"}')
    },
    (chunk) => {
      passing.came += chunk.length
      passing.most = Math.max(passing.most, passing.came - passing.left)
    },
  )
  const fetched = Array.from({ length: 20 }, async () => {
    const { file } = await ask('/x', call)
    for await (const chunk of file!) {
      await new Promise(setImmediate)
      passing.left += ((chunk as Buffer).length * 4) / 3
    }
  })
  await Promise.all(fetched)
  expect(passing.left / MB).toBeGreaterThan(20 * 5)
  expect(passing.most / MB).toBeLessThan(16)
})
