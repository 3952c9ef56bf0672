import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardedFetch } from './guarded-fetch.ts'

let server: Server
let base: string
const asked: { method: string; body: string; type: string | undefined }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked.push({
        method: request.method!,
        body: Buffer.concat(chunks).toString(),
        type: request.headers['content-type'],
      })
      if (request.url === '/half') {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '1000' })
        return response.write('data: metade', () => response.destroy())
      }
      if (request.url === '/large') return response.end(Buffer.alloc(200_000))
      if (request.url === '/empty') return response.writeHead(204).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: um\n\n')
      return setTimeout(() => response.end('data: dois\n\n'), 20)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const call = guardedFetch({ allow: ['127.0.0.1'] }, { answerMs: 5000, maxBytes: 100_000 })

describe('the guarded fetch', () => {
  it('is the fetch of the web: it sends what it is given and streams what comes', async () => {
    const response = await call(`${base}/stream`, { method: 'POST', body: JSON.stringify({ a: 1 }) })
    expect(response.ok).toBe(true)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: um\n\n')
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: dois\n\n')
    expect(asked.at(-1)).toMatchObject({ method: 'POST', body: '{"a":1}' })
  })

  it('errors where the stream breaks off, and where it is too long', async () => {
    await expect(call(`${base}/half`).then((one) => one.text())).rejects.toThrow()
    await expect(call(`${base}/large`).then((one) => one.text())).rejects.toThrow()
    expect((await call(`${base}/empty`)).body).toBeNull()
  })

  it('goes nowhere that is not allowed, and ends when it is told to', async () => {
    const guarded = guardedFetch({ allow: [] }, { answerMs: 5000, maxBytes: 1000 })
    await expect(guarded(`${base}/stream`)).rejects.toMatchObject({ code: 'ERR_ADDRESS_REFUSED' })
    await expect(call(`${base}/stream`, { signal: AbortSignal.abort() })).rejects.toThrow()
  })
})
