import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { firstOf } from '#domain/present.ts'
import { bytesInFlight, type Holding } from '#kit/bytes-in-flight.ts'
import { fail } from '#kit/errors.ts'
import type { Env } from '../env.ts'
import { readAnyBody } from './any-body.ts'
import { endWhenSlow, type Pace } from './pace.ts'
import { networkOf } from './rate-limits.ts'

const KB = 1024
const MB = 1024 * KB

/** Limits of a body, without a valid token and for a logged-in user (docs/limits.md). */
const STRANGER = { maxBytes: 64 * KB, pace: { graceMs: 15_000 } }
const USER = { maxBytes: 2 * MB, pace: { graceMs: 15_000, bytesPerSecond: 4 * KB } }
/** Memory, in bytes, that a form takes while its files are written to the disk. */
export const FORM_BYTES = 256 * KB

const strangers = bytesInFlight({ most: 32 * MB, mostOfOne: 4 * MB })
const users = bytesInFlight({ most: 128 * MB, mostOfOne: 16 * MB })
const known = new WeakMap<FastifyRequest, string>()

/** Returns the number of bytes held by unfinished bodies. */
export const bodyBytes = (): number => strangers.all() + users.all()

/** Counts the rest of a request for this user, who has shown a valid token. */
export const countAsUser = (request: FastifyRequest, user: string): void => void known.set(request, user)

/** Starts counting the bytes that a request holds. Throws ERR_OVERLOADED if its initial `bytes` are too many. */
export function countBytes(request: FastifyRequest, env: Pick<Env, 'TRUST_PROXY'>, bytes = 0): Holding {
  const user = known.get(request)
  const holding = user === undefined ? strangers.open(addressOf(request.ip, env)) : users.open(user)
  return holding.take(bytes) ? holding : fail('ERR_OVERLOADED')
}

/**
 * Returns the network of an address; null if it may be an undeclared proxy, behind which everybody has the same
 * address.
 */
function addressOf(ip: string, { TRUST_PROXY }: Pick<Env, 'TRUST_PROXY'>): string | null {
  const isOfOne = TRUST_PROXY || (ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast')
  return isOfOne ? networkOf(ip) : null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route's body may be of any type. */
    takesAny?: boolean
  }
}

/**
 * Parses JSON bodies, with stricter limits for requests without a token, and bounds on the total held. Other types are
 * refused, except forms, which their operations read, and routes that take any type.
 */
export function addBodies(http: FastifyInstance, env: Pick<Env, 'TRUST_PROXY'>): void {
  const parse = http.getDefaultJsonParser('error', 'error')
  http.removeAllContentTypeParsers()
  const read = (request: FastifyRequest, payload: Readable): Promise<Buffer> => {
    const { maxBytes, pace } = known.has(request) ? USER : STRANGER
    const holding = countBytes(request, env)
    const take = (bytes: number) => holding.take(bytes) || fail('ERR_OVERLOADED')
    const reading = readWhole(payload, { maxBytes, pace, take, announced: request.headers['content-length'] })
    return reading.finally(() => holding.free())
  }
  const takesAny = (request: FastifyRequest) => request.routeOptions.config.takesAny === true
  const readAny = async (request: FastifyRequest, payload: Readable) => {
    const bytes = await read(request, payload)
    return readAnyBody(bytes, request.headers['content-type'], (text) => {
      let parsed: unknown
      parse(request, text, (error, body) => {
        if (error) throw error
        parsed = body
      })
      return parsed
    })
  }
  http.addContentTypeParser('application/json', (request, payload, done) => {
    const body = takesAny(request)
      ? readAny(request, payload).then((any) => done(null, any))
      : read(request, payload).then((bytes) => parse(request, bytes.toString('utf8'), done))
    body.catch((error: Error) => done(error))
  })
  http.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
    takesAny(request) ? readAny(request, payload) : fail('ERR_FILE_TYPE'),
  )
}

type Reading = {
  readonly maxBytes: number
  readonly pace: Pace
  /** Length announced by the sender. */
  readonly announced?: string | undefined
  /** Counts received bytes; throws if they are too many. */
  readonly take?: (bytes: number) => void
}

/**
 * Reads all bytes of a body. Throws ERR_FILE_TOO_LARGE, ERR_TOO_SLOW, errors of `take`, and ERR_VALIDATION where it breaks
 * off.
 */
export function readWhole(payload: Readable, { maxBytes, pace, announced, take = () => {} }: Reading): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise<Buffer>((resolve, reject) => {
    const stopWatch = endWhenSlow(
      pace,
      () => size,
      () => end(() => fail('ERR_TOO_SLOW')),
    )
    const end = (answer: () => Buffer): void => {
      stopWatch()
      payload.off('data', more).off('end', whole).off('error', broken).off('close', broken)
      // Discards the rest.
      payload.on('error', () => {}).resume()
      try {
        resolve(answer())
      } catch (error) {
        chunks.length = 0
        reject(error)
      }
    }
    const more = (chunk: Buffer): void => {
      size += chunk.length
      try {
        if (size > maxBytes) fail('ERR_FILE_TOO_LARGE', { maxBytes })
        take(chunk.length)
        chunks.push(chunk)
      } catch (error) {
        end(() => {
          throw error
        })
      }
    }
    const whole = () => end(() => (chunks.length === 1 ? firstOf(chunks) : Buffer.concat(chunks, size)))
    const broken = () => end(() => fail('ERR_VALIDATION', { pedido: 'O pedido não chegou inteiro.' }))
    if (Number(announced) > maxBytes) return end(() => fail('ERR_FILE_TOO_LARGE', { maxBytes }))
    payload.on('data', more).on('end', whole).on('error', broken).on('close', broken)
  })
}
