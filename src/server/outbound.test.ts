import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mayCall, outboundConnect, outboundFetch } from './outbound.ts'

describe('addresses', () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['all of loopback', '127.255.255.254'],
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private 10', '10.0.0.1'],
    ['private 172', '172.31.255.255'],
    ['private 192', '192.168.0.1'],
    ['link-local, where clouds keep credentials', '169.254.169.254'],
    ['carrier’s NAT', '100.64.0.1'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['benchmarking', '198.18.0.1'],
    ['IPv6 loopback', '::1'],
    ['IPv6 unspecified', '::'],
    ['IPv4 in IPv6', '::ffff:127.0.0.1'],
    ['IPv4 in IPv6, hexadecimal', '::ffff:7f00:1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a network', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:7f00:1::'],
    ['IPv6 link-local', 'fe80::1'],
    ['IPv6 with a zone', 'fe80::1%eth0'],
    ['a public one with a zone', '2606:4700::1111%eth0'],
    ['unique local', 'fd00::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['no address', 'localhost'],
    ['nothing', ''],
  ])('%s is refused', (_, address) => {
    expect(mayCall(address, [])).toBe(false)
  })

  it.each(['1.1.1.1', '200.147.35.149', '2606:4700:4700::1111'])('%s is public', (address) => {
    expect(mayCall(address, [])).toBe(true)
  })

  it('allowed networks are reached, their neighbours are not', () => {
    const allow = ['10.1.0.0/16', '192.168.0.7', 'fd00:1::/32']
    const reached = ['10.1.2.3', '192.168.0.7', '::ffff:10.1.2.3', 'fd00:1::5']
    for (const address of reached) expect(mayCall(address, allow)).toBe(true)
    for (const address of ['10.2.0.1', '192.168.0.8', 'fd00:2::5', '127.0.0.1'])
      expect(mayCall(address, allow)).toBe(false)
  })
})

describe('what is written as an address', () => {
  it.each([
    'http://localhost/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fe80::1%25eth0]/',
    'http://1.1.1.1@127.0.0.1/',
    'http://127.0.0.1:80@1.1.1.1/',
    'http://user:secret@1.1.1.1/',
    'http://127.0.0.1#@1.1.1.1/',
    'http://127.0.0.1\\@1.1.1.1/',
    'http:\\\\127.0.0.1/',
    'ftp://1.1.1.1/',
    'file:///etc/passwd',
    'gopher://1.1.1.1/',
    'data:text/plain,x',
    'javascript:1',
    '//1.1.1.1/',
    '/api',
    'http://',
    '',
  ])('%j goes nowhere', async (address) => {
    await expect(outboundFetch({ allow: [] }, address)).rejects.toMatchObject({ code: 'ERR_ADDRESS_REFUSED' })
  })
})

describe('calls', () => {
  const servers: Server[] = []
  const seen: string[] = []
  let port = 0
  let other = 0
  const local = { allow: ['127.0.0.0/8'] }

  async function listen(host: string, at: number, answer: RequestListener): Promise<number> {
    const server = createServer(answer)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(at, host, resolve))
    return (server.address() as AddressInfo).port
  }
  const routes: Record<string, RequestListener> = {
    '/ok': (request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => response.end(`${request.method} ${body} ${request.headers['x-key'] ?? ''}`.trim()))
    },
    '/slow': (_, response) => void setTimeout(() => response.end('late'), 3000).unref(),
    '/drip': (_, response) => {
      response.write('a')
      const drip = setInterval(() => response.write('a'), 50)
      response.on('close', () => clearInterval(drip))
    },
    '/huge': (_, response) => response.end('x'.repeat(200_000)),
    '/here': (_, response) => response.writeHead(302, { location: '/ok' }).end(),
    '/again': (_, response) => response.writeHead(307, { location: '/ok' }).end(),
    '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
    '/away': (_, response) => response.writeHead(302, { location: `http://127.0.0.2:${other}/ok` }).end(),
    '/inside': (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    '/port': (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/ok' }).end(),
    '/file': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  }

  beforeAll(async () => {
    port = await listen('127.0.0.1', 0, (request, response) => {
      seen.push(`one ${request.url}`)
      routes[request.url!]?.(request, response)
    })
    other = await listen('127.0.0.2', port, (request, response) => {
      seen.push(`two ${request.url}`)
      response.end('two')
    })
  })
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections()
  })

  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  const refused = { code: 'ERR_ADDRESS_REFUSED' }

  it('open connections of other protocols to the address that was checked, and to nothing else', async () => {
    const lookup = async () => [{ address: '127.0.0.1' }]
    const socket = await outboundConnect({ ...local, lookup }, { host: 'imap.test', port, tls: false })
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
    for (const host of ['127.0.0.1', '169.254.169.254', '::1', 'imap.test'])
      await expect(outboundConnect({ allow: [], lookup }, { host, port, tls: false })).rejects.toMatchObject(refused)
    const failed = { code: 'ERR_OUTSIDE_CALL' }
    await expect(outboundConnect(local, { host: '127.0.0.3', port: 1, tls: false })).rejects.toMatchObject(failed)
    await expect(outboundConnect(local, { host: '127.0.0.1', port, tls: true }, 300)).rejects.toMatchObject(failed)
    const never = () => new Promise<never>(() => {})
    await expect(
      outboundConnect({ ...local, lookup: never }, { host: 'imap.test', port, tls: false }, 200),
    ).rejects.toMatchObject({ details: { reason: 'timeout' } })
  })

  it('carry method, headers and body, and bring back the answer', async () => {
    const request = { method: 'POST', headers: { 'x-key': 'k' }, body: 'olá' }
    const answer = await outboundFetch(local, at('/ok'), request)
    expect([answer.status, answer.body.toString()]).toEqual([200, 'POST olá k'])
  })

  it('ask for the name once and go where it led then, whatever it says later', async () => {
    const answers = ['127.0.0.2', '127.0.0.1']
    const asked: string[] = []
    const lookup = async (name: string) => {
      asked.push(name)
      return [{ address: answers.shift() ?? '127.0.0.1' }]
    }
    const answer = await outboundFetch({ ...local, lookup }, `http://loja.test:${port}/ok`)
    expect(answer.body.toString()).toBe('two')
    expect(asked).toEqual(['loja.test'])
  })

  it('do not go to a name that leads inside, wholly or in part', async () => {
    for (const found of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['1.1.1.1', '::1'], ['::ffff:10.0.0.1'], []]) {
      const lookup = async () => found.map((address) => ({ address }))
      await expect(outboundFetch({ allow: [], lookup }, 'http://loja.test/')).rejects.toMatchObject(refused)
    }
  })

  it('check the name again at each redirect', async () => {
    const answers = ['127.0.0.1', '10.0.0.1']
    const lookup = async () => [{ address: answers.shift()! }]
    await expect(outboundFetch({ ...local, lookup }, `http://loja.test:${port}/here`)).rejects.toMatchObject(refused)
  })

  it('follow redirects on the same host, with or without the body as they ask', async () => {
    const request = { method: 'POST', body: 'corpo' }
    expect((await outboundFetch(local, at('/here'), request)).body.toString()).toBe('GET')
    const again = await outboundFetch(local, at('/again'), request)
    expect([again.body.toString(), again.url]).toEqual(['POST corpo', at('/ok')])
  })

  it('do not follow to another host or port, inside, to another scheme or for ever', async () => {
    const before = seen.filter((line) => line.startsWith('two')).length
    for (const path of ['/away', '/port', '/inside', '/file'])
      await expect(outboundFetch(local, at(path))).rejects.toMatchObject(refused)
    expect(seen.filter((line) => line.startsWith('two')).length).toBe(before)
    await expect(outboundFetch(local, at('/loop'))).rejects.toMatchObject({ details: { reason: 'redirects' } })
  })

  it('end in time and in size', async () => {
    const failure = (reason: string) => ({ code: 'ERR_OUTSIDE_CALL', details: { reason } })
    await expect(outboundFetch(local, at('/slow'), { answerMs: 200 })).rejects.toMatchObject(failure('timeout'))
    await expect(outboundFetch(local, at('/drip'), { answerMs: 300 })).rejects.toMatchObject(failure('timeout'))
    await expect(outboundFetch(local, at('/huge'), { maxBytes: 100_000 })).rejects.toMatchObject(failure('size'))
    await expect(outboundFetch(local, 'http://127.0.0.3:1/')).rejects.toMatchObject(failure('unreached'))
    const lookup = () => new Promise<never>(() => {})
    await expect(outboundFetch({ ...local, lookup }, 'http://loja.test/', { connectMs: 200 })).rejects.toMatchObject(
      failure('unreached'),
    )
  })
})
