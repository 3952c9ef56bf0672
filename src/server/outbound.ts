import { lookup as systemLookup } from 'node:dns/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { connect as connectSecure } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { textFieldIn } from '#domain/keys.ts'
import { firstOf } from '#domain/present.ts'
import { AppError, fail } from '#kit/errors.ts'
import { connectBy, type OutboundProxy, proxyFailure } from './outbound-proxy.ts'

// A static import of this module would load Node's own fetch with it: forty milliseconds of every start.
const { request: plainRequest } = process.getBuiltinModule('node:http')

/** Call to an outside system. Times in milliseconds, sizes in bytes. */
export type OutboundRequest = {
  method?: string
  headers?: Readonly<Record<string, string>>
  /** Body of the request; a stream is sent as it is read, once: a redirect of its call fails. */
  body?: string | Uint8Array | Readable
  /** Time-out of connecting, name resolution included. */
  connectMs?: number
  /** Time-out of the whole answer. */
  answerMs?: number
  maxBytes?: number
  /** Handling of answers longer than `maxBytes`: fail (default), or cut there. */
  tooLong?: 'fail' | 'cut'
  /** Handling of redirects: followed (default), or returned as the answer. */
  redirects?: 'follow' | 'answer'
  /** CA certificates (PEM) that are trusted in place of the usual ones. */
  ca?: string | undefined
  /** Aborts the call. */
  signal?: AbortSignal
}

/** Answer of an outbound call; `url` is the address that answered, after redirects. */
export type OutboundAnswer = { url: string; status: number; headers: IncomingHttpHeaders; body: Buffer }

/** Answer whose body is still to be read. */
export type OutboundStream = Omit<OutboundAnswer, 'body'> & { body: Readable }

type Opened = {
  readonly url: string
  readonly response: IncomingMessage
  readonly isLate: () => boolean
  readonly release: () => void
}

/**
 * Allowed networks beyond the public internet (`OUTBOUND_ALLOW`, CIDR), name resolution, and the mandatory proxy, if
 * any. The proxy's name is resolved here, all others by the proxy.
 */
export type OutboundPolicy = {
  allow: readonly string[]
  lookup?: (name: string) => Promise<{ address: string }[]>
  proxy?: OutboundProxy | null
}

/** All networks: a provider's host from the environment may be called anywhere (decision B21). */
export const EVERYWHERE: readonly string[] = ['0.0.0.0/0', '::/0']

const CONNECT_MS = 5000
/** Connect time-out through a proxy, which opens a connection of its own. */
const PROXIED_MS = 10_000
const SILENCE_MS = 30_000
const MOST_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Calls an address that a person entered (decision B21): http and https, public addresses or allowed ones only. A name is
 * resolved once and the connection goes to the checked address; redirects stay on their origin, or lead from http to https,
 * and are checked again. Fails with ERR_ADDRESS_REFUSED for forbidden addresses, and with ERR_OUTSIDE_CALL for answers that
 * are too late or too large (`reason` is `unreached` without a connection, so that nothing was sent; `why` then names the
 * likely cause).
 */
export async function outboundFetch(
  policy: OutboundPolicy,
  address: string,
  request: OutboundRequest = {},
): Promise<OutboundAnswer> {
  const { maxBytes = 10 * 1024 * 1024, tooLong = 'fail' } = request
  const { url, response, isLate, release } = await follow(policy, address, request)
  try {
    const body = await readAll(response, maxBytes, tooLong)
    return { url, status: response.statusCode!, headers: response.headers, body }
  } catch (error) {
    throw failureOf(error, isLate())
  } finally {
    release()
  }
}

/**
 * Variant of `outboundRequest` for large answers: the caller reads the body within `answerMs`; it fails after 30 s without
 * data. Destroy it if you do not read it to the end.
 */
export async function outboundStream(
  policy: OutboundPolicy,
  address: string,
  request: OutboundRequest = {},
): Promise<OutboundStream> {
  const { url, response, release } = await follow(policy, address, request)
  response.setTimeout(SILENCE_MS, () => response.destroy(new Error('the answer fell silent')))
  response.once('close', release)
  return { url, status: response.statusCode!, headers: response.headers, body: response }
}

/** Calls an address and follows its redirects. The caller calls `release` after reading the answer. */
async function follow(policy: OutboundPolicy, address: string, request: OutboundRequest): Promise<Opened> {
  let url = readUrl(address)
  let call = request
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const opened = await open(policy, url, call)
    const { statusCode, headers } = opened.response
    if (request.redirects === 'answer' || !REDIRECTS.has(statusCode!) || headers.location === undefined) return opened
    opened.response.destroy()
    opened.release()
    const next = readUrl(headers.location, url)
    // Another port may be another system: redirects keep the origin, or the same host by TLS.
    const isUpgrade = url.origin === `http://${url.hostname}` && next.origin === `https://${url.hostname}`
    if (next.origin !== url.origin && !isUpgrade) refuse(next.hostname)
    const { body, ...withoutBody } = call
    if (body instanceof Readable) refuse(next.hostname)
    if (statusCode! < 307 && call.method !== 'HEAD') call = { ...withoutBody, method: 'GET' }
    url = next
  }
  return fail('ERR_OUTSIDE_CALL', { reason: 'redirects' })
}

const refuse = (host: string): never => fail('ERR_ADDRESS_REFUSED', { host })

// The URL parser normalizes decimal, octal and hexadecimal hosts to the address that they mean.
function readUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base)) return refuse('')
  const url = new URL(address, base)
  const isPlain = url.username === '' && url.password === ''
  return isPlain && /^https?:$/.test(url.protocol) ? url : refuse(url.hostname)
}

/** Whether a numeric address may be called: public, or inside an allowed network. */
export function mayCall(address: string, allow: readonly string[]): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false
  const ip = ipaddr.process(address)
  if (isWithin(address, allow)) return true
  if (ip.range() !== 'unicast') return false
  return ip.kind() === 'ipv4' || ip.match(ipaddr.IPv6.parseCIDR('2000::/3'))
}

/** Whether a numeric address lies in one of the networks (CIDR, or single addresses). */
export const isWithin = (address: string, networks: readonly string[]): boolean =>
  networks.some((network) => contains(network, ipaddr.process(address)))

function contains(network: string, ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [base, prefix] = ipaddr.parseCIDR(
    network.includes('/') ? network : `${network}/${network.includes(':') ? 128 : 32}`,
  )
  return base.kind() === ip.kind() && ip.match([base, prefix])
}

/** Resolves a host once and returns the only address that a connection may go to; fails with ERR_ADDRESS_REFUSED. */
export async function addressOf({ allow, lookup = systemAddresses }: OutboundPolicy, host: string): Promise<string> {
  const addresses = ipaddr.isValid(host) ? [host] : (await lookup(host)).map((found) => found.address)
  // One forbidden address among several is an attack, or a mistake that would fail every second time.
  if (addresses.length === 0 || !addresses.every((one) => mayCall(one, allow))) return refuse(host)
  return firstOf(addresses)
}

/**
 * Opens a connection to a host that a person entered, for protocols other than HTTP; checked like a call, with the
 * `connectMs` time-out for name resolution and certificate too. The caller closes it.
 */
export async function outboundConnect(
  policy: OutboundPolicy,
  { host, port, tls, ca }: { host: string; port: number; tls: boolean; ca?: string | undefined },
  connectMs = policy.proxy ? PROXIED_MS : CONNECT_MS,
): Promise<Socket> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort('connect'), connectMs)
  let socket: Socket | undefined
  try {
    const name = { ...(isIP(host) ? {} : { servername: host }), ...(ca === undefined ? {} : { ca }) }
    if (policy.proxy) {
      socket = await byProxy(policy, policy.proxy, { host, port }, stop.signal)
      if (!tls) return socket
    }
    const way = socket ? { socket } : { host: await orAbort(addressOf(policy, host), stop.signal), port }
    const opened = tls ? connectSecure({ ...way, ...name }) : connectPlain({ port, ...way })
    socket = opened
    await orAbort(
      new Promise<void>((resolved, rejected) => {
        opened.once(tls ? 'secureConnect' : 'connect', resolved)
        opened.once('error', rejected)
      }),
      stop.signal,
    )
    return opened
  } catch (error) {
    socket?.destroy()
    if (error instanceof AppError) throw error
    return fail('ERR_OUTSIDE_CALL', { reason: stop.signal.aborted ? 'timeout' : 'connection' })
  } finally {
    clearTimeout(timer)
  }
}

/** Connects through the proxy; numeric addresses are checked here, names by the proxy. */
async function byProxy(
  policy: OutboundPolicy,
  proxy: OutboundProxy,
  to: { host: string; port: number },
  signal: AbortSignal,
): Promise<Socket> {
  if (isIP(to.host) && !mayCall(to.host, policy.allow)) refuse(to.host)
  const address = await orAbort(addressOf(policy, proxy.host), signal).catch((error) => {
    throw proxyFailure(error instanceof AppError && error.code === 'ERR_ADDRESS_REFUSED' ? 'address' : 'unreachable')
  })
  return connectBy(proxy, address, to, signal)
}

const systemAddresses = (name: string) => systemLookup(name, { all: true })

async function open(policy: OutboundPolicy, url: URL, call: OutboundRequest): Promise<Opened> {
  const { method = 'GET', headers = {}, body, answerMs = 15_000, ca } = call
  const { connectMs = policy.proxy ? PROXIED_MS : CONNECT_MS } = call
  const stop = new AbortController()
  const connecting = setTimeout(() => stop.abort('connect'), connectMs)
  const answering = setTimeout(() => stop.abort('answer'), answerMs)
  const signal = call.signal ? AbortSignal.any([stop.signal, call.signal]) : stop.signal
  const release = () => {
    clearTimeout(connecting)
    clearTimeout(answering)
  }
  let isConnected = false
  const connected = () => {
    clearTimeout(connecting)
    isConnected = true
  }
  try {
    const isSecure = url.protocol === 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const way = await (policy.proxy ? proxiedWay : directWay)(policy, { url, host, isSecure, ca }, connectMs, signal)
    if (policy.proxy) connected()
    const response = await new Promise<IncomingMessage>((resolved, rejected) => {
      const send = isSecure ? secureRequest : plainRequest
      const trust = ca === undefined ? {} : { ca }
      const sent = send(url, { method, headers, ...way, signal, ...trust }, resolved)
      sent.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', connected))
      sent.on('error', rejected)
      if (body instanceof Readable) pipeline(body, sent, (error) => error && rejected(error))
      else sent.end(body)
    })
    return { url: url.href, response, isLate: () => signal.aborted, release }
  } catch (error) {
    release()
    throw failureOf(error, signal.aborted, isConnected)
  }
}

type Way = { readonly url: URL; readonly host: string; readonly isSecure: boolean; readonly ca: string | undefined }

/** Routes a call to the one address that was checked. */
async function directWay(policy: OutboundPolicy, { host }: Way, _ms: number, signal: AbortSignal) {
  const address = await orAbort(addressOf(policy, host), signal)
  const family = ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4
  const lookup: LookupFunction = (_name, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family)
  return { lookup, agent: false as const }
}

/** Routes a call through the policy's proxy. */
async function proxiedWay(policy: OutboundPolicy, { url, host, isSecure, ca }: Way, ms: number) {
  const port = Number(url.port || (isSecure ? 443 : 80))
  const socket = await outboundConnect(policy, { host, port, tls: isSecure, ca }, ms)
  return { createConnection: () => socket }
}

const failureOf = (error: unknown, isLate: boolean, isConnected = true): unknown =>
  error instanceof AppError
    ? error
    : isConnected
      ? new AppError('ERR_OUTSIDE_CALL', { reason: isLate ? 'timeout' : 'connection' })
      : new AppError('ERR_OUTSIDE_CALL', { reason: 'unreached', why: isLate ? 'time' : whyUnreached(error) })

// Likely cause: the name, the certificate, a port without TLS, or the port.
function whyUnreached(error: unknown): 'name' | 'certificate' | 'protocol' | 'port' {
  const [code, message] = [textFieldIn(error, 'code'), textFieldIn(error, 'message')]
  if (/ENOTFOUND|EAI_AGAIN|ENODATA/.test(code)) return 'name'
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code) || /certificate|altnames/i.test(message)) return 'certificate'
  return /EPROTO|wrong version number|packet length/i.test(`${code} ${message}`) ? 'protocol' : 'port'
}

const orAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([work, new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))])

async function readAll(response: IncomingMessage, maxBytes: number, tooLong: 'fail' | 'cut'): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > maxBytes) {
      response.destroy()
      if (tooLong === 'fail') return fail('ERR_OUTSIDE_CALL', { reason: 'size' })
      return Buffer.concat([...chunks, chunk]).subarray(0, maxBytes)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
