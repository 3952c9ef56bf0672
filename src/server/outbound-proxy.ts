import { request as secureRequest } from 'node:https'
import { connect, isIP, type Socket } from 'node:net'
import { type ProxyProblem, type ProxyType, proxyProblems } from '#domain/connections/proxies.ts'
import { keysIn } from '#domain/keys.ts'
import { AppError } from '#kit/errors.ts'

// As in outbound.ts: an import would load Node's own fetch with it.
const { request: plainRequest } = process.getBuiltinModule('node:http')

/** Proxy for all connections of its owner; there is no fallback without it. */
export type OutboundProxy = {
  readonly type: ProxyType
  readonly host: string
  readonly port: number
  /** Username and password; both '' without authentication. */
  readonly username: string
  readonly password: string
  readonly isActive: boolean
}

type Destination = { readonly host: string; readonly port: number }

/** Creates the error of a proxy that does not work. */
export const proxyFailure = (reason: ProxyProblem): AppError => new AppError('ERR_PROXY', { reason })

/** Returns why a proxy connection failed, if an error says so; null for everything else. */
export const proxyProblemOf = (error: unknown): ProxyProblem | null =>
  error instanceof AppError && error.code === 'ERR_PROXY' ? problemIn(error.details?.['reason']) : null

const problemIn = (reason: unknown): ProxyProblem | null => keysIn(proxyProblems).find((one) => one === reason) ?? null

/**
 * Connects to a destination through a proxy and returns the connection as if it led there; the proxy resolves names.
 * `address` is the proxy's own, which the caller has checked. Fails with ERR_PROXY, whose `reason` is a `ProxyProblem`.
 */
export async function connectBy(
  proxy: OutboundProxy,
  address: string,
  to: Destination,
  signal: AbortSignal,
): Promise<Socket> {
  if (!proxy.isActive) throw proxyFailure('inactive')
  return proxy.type === 'socks5' ? bySocks(proxy, address, to, signal) : byConnect(proxy, address, to, signal)
}

/** Opens a tunnel through an HTTP proxy (RFC 9110, CONNECT). */
function byConnect(
  { type, host: name, port, username, password }: OutboundProxy,
  address: string,
  to: Destination,
  signal: AbortSignal,
): Promise<Socket> {
  const path = `${isIP(to.host) === 6 ? `[${to.host}]` : to.host}:${to.port}`
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  const headers = { host: path, ...(username || password ? { 'proxy-authorization': `Basic ${credentials}` } : {}) }
  return new Promise((resolve, reject) => {
    const send = type === 'https' ? secureRequest : plainRequest
    const server = isIP(name) ? {} : { servername: name }
    const sent = send({ host: address, port, method: 'CONNECT', path, headers, agent: false, ...server })
    const stop = () => {
      reject(proxyFailure('silent'))
      sent.destroy()
    }
    signal.addEventListener('abort', stop)
    sent.once('connect', ({ statusCode }, socket: Socket, rest: Buffer) => {
      signal.removeEventListener('abort', stop)
      if (statusCode === 200) {
        if (rest.length > 0) socket.unshift(rest)
        return resolve(socket)
      }
      socket.destroy()
      reject(proxyFailure(statusCode === 407 ? 'credentials' : 'refused'))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', stop)
      // An answer that is neither HTTP nor TLS comes from another kind of server.
      reject(proxyFailure(/^(HPE_|ERR_SSL|EPROTO|ECONNRESET)/.test(error.code ?? '') ? 'protocol' : 'unreachable'))
    })
    sent.end()
  })
}

/** Opens a connection through a SOCKS 5 proxy (RFC 1928), with name and password (RFC 1929) where it has them. */
async function bySocks(
  { port, username, password }: OutboundProxy,
  address: string,
  to: Destination,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connect({ host: address, port })
  const stop = () => socket.destroy()
  signal.addEventListener('abort', stop)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
      socket.once('close', reject)
    }).catch(() => {
      throw proxyFailure('unreachable')
    })
    const proxy = { host: address, port, type: 5 as const, ...(username ? { userId: username, password } : {}) }
    const { SocksClient } = await import('socks')
    await SocksClient.createConnection({ proxy, command: 'connect', destination: to, existing_socket: socket })
    return socket
  } catch (error) {
    socket.destroy()
    if (signal.aborted) throw proxyFailure('silent')
    throw proxyProblemOf(error) ? error : proxyFailure(problemOfSocks(error))
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

// The library reports the reason only as an English text.
function problemOfSocks(error: unknown): ProxyProblem {
  const text = String(error)
  if (/authentication|auth type/i.test(text)) return 'credentials'
  return /rejected/i.test(text) ? 'refused' : 'protocol'
}
