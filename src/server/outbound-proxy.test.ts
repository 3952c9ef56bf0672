import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProxyType } from '#domain/connections/proxies.ts'
import { certificate } from '#features/lab/server/whatsapp/certificate.ts'
import { startProxyPeer } from '#test/peers/proxy.ts'
import { outboundConnect, outboundFetch } from './outbound.ts'
import type { OutboundProxy } from './outbound-proxy.ts'

const credentials = { username: 'lojista', password: 'senha:com dois pontos' }
const ends: (() => unknown)[] = []
const visitors: number[] = []
let origin: string
let open: Awaited<ReturnType<typeof startProxyPeer>>
let asking: Awaited<ReturnType<typeof startProxyPeer>>
let secure: Awaited<ReturnType<typeof startProxyPeer>>

beforeAll(async () => {
  const server = createServer((request, response) => {
    visitors.push(request.socket.remotePort!)
    response.end(`${request.method} ${request.headers.host}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`
  ;[open, asking, secure] = [
    await startProxyPeer(),
    await startProxyPeer({ credentials }),
    await startProxyPeer({ isSecure: true }),
  ]
  ends.push(() => server.close(), open.close, asking.close, secure.close)
})
afterAll(() => Promise.all(ends.map((end) => end())))

const proxyOf = (type: ProxyType, { port }: { port: number }, about: Partial<OutboundProxy> = {}): OutboundProxy => ({
  ...{ type, host: '127.0.0.1', port, username: '', password: '', isActive: true },
  ...about,
})
const policy = (proxy: OutboundProxy, allow = ['127.0.0.1', '::1']) => ({ allow, proxy })
const fetched = async (proxy: OutboundProxy, address = `http://${origin}/`) =>
  (await outboundFetch(policy(proxy), address)).body.toString()
const problem = (reason: string) => ({ code: 'ERR_PROXY', details: { reason } })

describe.each(['http', 'socks5'] as const)('by a proxy of the kind %s', (type) => {
  test('a call leaves by it, and by nothing else', async () => {
    const before = visitors.length
    expect(await fetched(proxyOf(type, open))).toBe(`GET ${origin}`)
    const mine = visitors.slice(before)
    expect(mine).toHaveLength(1)
    expect(mine.every((port) => open.ports.has(port))).toBe(true)
    expect(open.asked.at(-1)).toBe(origin)
  })

  test('names are resolved by it, numbers are checked here', async () => {
    const lookup = async () => Promise.reject(new Error('nobody is asked for a name'))
    const socket = await outboundConnect(
      { ...policy(proxyOf(type, open)), lookup },
      { host: 'localhost', port: Number(origin.split(':')[1]), tls: false },
    )
    socket.destroy()
    expect(open.asked.at(-1)).toMatch(/^localhost:/)
    const asked = open.asked.length
    await expect(fetched(proxyOf(type, open), 'http://169.254.169.254/')).rejects.toMatchObject({
      code: 'ERR_ADDRESS_REFUSED',
    })
    expect(open.asked).toHaveLength(asked)
  })

  test('name and password are told, and wrong ones are named', async () => {
    expect(await fetched(proxyOf(type, asking, credentials))).toBe(`GET ${origin}`)
    for (const given of [{}, { ...credentials, password: 'outra' }])
      await expect(fetched(proxyOf(type, asking, given))).rejects.toMatchObject(problem('credentials'))
  })

  test('one that refuses, is silent, is no proxy or is not there lets nothing through, and nothing goes past it', async () => {
    const before = visitors.length
    open.refused.add('127.0.0.1')
    await expect(fetched(proxyOf(type, open))).rejects.toMatchObject(problem('refused'))
    open.refused.clear()
    const silent = await startProxyPeer()
    silent.beSilent()
    const to = { host: '127.0.0.1', port: 9, tls: false }
    await expect(outboundConnect(policy(proxyOf(type, silent)), to, 200)).rejects.toMatchObject(problem('silent'))
    await silent.stop()
    await expect(fetched(proxyOf(type, silent))).rejects.toMatchObject(problem('unreachable'))
    const other = createTcpServer((socket) => socket.on('error', () => {}).end('220 pombal.test ESMTP\r\n'))
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    await expect(fetched(proxyOf(type, other.address() as AddressInfo))).rejects.toMatchObject(problem('protocol'))
    other.close()
    await expect(fetched(proxyOf(type, open, { isActive: false }))).rejects.toMatchObject(problem('inactive'))
    expect(visitors).toHaveLength(before)
  })
})

test('one behind TLS is spoken to as its certificate says', async () => {
  const known = getCACertificates('default')
  await expect(fetched(proxyOf('https', secure, { host: 'localhost' }))).rejects.toMatchObject({ code: 'ERR_PROXY' })
  setDefaultCACertificates([...known, certificate])
  try {
    expect(await fetched(proxyOf('https', secure, { host: 'localhost' }))).toBe(`GET ${origin}`)
  } finally {
    setDefaultCACertificates(known)
  }
})

test('a proxy in a private network is refused like any address', async () => {
  const to = { host: 'example.com', port: 443, tls: true }
  for (const host of ['127.0.0.1', '10.0.0.1', 'localhost'])
    await expect(outboundConnect(policy(proxyOf('http', open, { host }), []), to)).rejects.toMatchObject(
      problem('address'),
    )
})

test('what the far end says at once is read, though it comes together with the proxy’s answer', async () => {
  const proxy = createTcpServer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n220 pombal.test')),
  ).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const to = { host: 'pombal.test', port: 25, tls: false }
  const socket = await outboundConnect(policy(proxyOf('http', proxy.address() as AddressInfo)), to)
  expect(await text(socket)).toBe('220 pombal.test')
  proxy.close()
})
