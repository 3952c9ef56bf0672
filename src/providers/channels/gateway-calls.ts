import { z } from 'zod'
import { reachProblem } from '#domain/connections/reach.ts'
import { withoutEnd } from '#domain/text.ts'
import { AppError } from '#kit/errors.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { type ChannelTools, isSendFailure, type SendFailure, sendFailure } from './port.ts'

/** Gateway with its name for people, URL, and headers of every call. */
export type Gateway = {
  /** Name with its article: “a WuzAPI”. */
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Error of a gateway's response: status and body ({} if it is no JSON). */
export class GatewayRefusal extends Error {
  readonly status: number
  readonly answer: unknown
  constructor(status: number, answer: unknown) {
    super(`the gateway answered ${status}`)
    this.status = status
    this.answer = answer
  }
}

type Call = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly json?: object | undefined
  /** Form fields in place of JSON. */
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly answerMs?: number
  readonly maxBytes?: number
}

/** Status of a response without JSON where JSON is always expected, so it came from another server. */
export const NO_JSON = 0

/** Returns a function that calls a gateway with JSON; fails with `GatewayRefusal`, or as `fetch` does without a response. */
export const gatewayCalls =
  ({ fetch }: Pick<ChannelTools, 'fetch'>, { url, headers }: Gateway) =>
  async <T>(
    path: string,
    { method = 'GET', json, form, headers: more, answerMs = 30_000, maxBytes }: Call = {},
  ): Promise<T> => {
    const body = form ? new URLSearchParams(form).toString() : json && JSON.stringify(json)
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
    // A DELETE request has no content length by default.
    const about = body && { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }
    const answer = await fetch(withoutEnd(url, /\//) + path, {
      ...{ method, answerMs, ...(body === undefined ? {} : { body }) },
      ...(maxBytes === undefined ? {} : { maxBytes }),
      headers: { ...headers, ...more, ...about },
    })
    const read = parsed(answer.body)
    if (answer.status < 200 || answer.status > 299) throw new GatewayRefusal(answer.status, read ?? {})
    if (read === undefined) throw new GatewayRefusal(NO_JSON, {})
    return read as T
  }

/** Maximum number of names of wrong values that are logged per response. */
const MOST_WRONG = 5

/** Schema of a response that is not read. */
export const anyAnswer = z.unknown()

/**
 * Returns a function that calls a gateway and reads the response leniently by a schema; `opened` unwraps a response, or
 * fails on an error with a success status. A response without any matching value is treated as another server's.
 */
export function readingCalls({ fetch, log }: Pick<ChannelTools, 'fetch' | 'log'>, gateway: Gateway) {
  const ask = gatewayCalls({ fetch }, gateway)
  return async <S extends z.ZodType>(
    path: string,
    schema: S,
    { opened = (answer) => answer, ...call }: Call & { readonly opened?: (answer: unknown) => unknown } = {},
  ): Promise<z.output<S>> => {
    const read = readOutside(schema, opened(await ask<unknown>(path, call)))
    if (!read) throw new GatewayRefusal(NO_JSON, {})
    if (read.wrong.length > 0)
      log.warn({ gateway: gateway.name, wrong: read.wrong.slice(0, MOST_WRONG) }, 'values of a wrong type in an answer')
    return read.data
  }
}

/** Parses JSON bytes; {} if empty, undefined if invalid. */
export function parsed(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {}
  try {
    return parseJson(bytes)
  } catch {
    return undefined
  }
}

/** Whether the gateway refused the key. */
export const isKeyRefused = (error: unknown): boolean =>
  error instanceof GatewayRefusal && (error.status === 401 || error.status === 403)

// Returns the name as the start of a sentence.
const atFirst = ({ name }: Pick<Gateway, 'name'>): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Converts the error of a sending call into a `SendFailure`; a gateway that failed may have sent the message. */
export function failureOf(error: unknown, gateway: Pick<Gateway, 'name'>): SendFailure {
  if (isSendFailure(error)) return error
  const name = atFirst(gateway)
  if (error instanceof GatewayRefusal) {
    if (isKeyRefused(error)) return sendFailure('unreachable', `${name} não aceita mais a chave.`, { stops: 'token' })
    const { status } = error
    if (status === 404 || status === 429 || status === 503)
      return sendFailure('unreachable', `${name} não atende agora.`)
    if (status === NO_JSON || status >= 500) return sendFailure('unknown', `${name} falhou ao enviar.`)
    return sendFailure('refused', `${name} não aceitou a mensagem.`)
  }
  const { reason } = error instanceof AppError ? (error.details ?? {}) : {}
  const isUnsent = error instanceof AppError && (error.code === 'ERR_ADDRESS_REFUSED' || reason === 'unreached')
  return sendFailure(isUnsent ? 'unreachable' : 'unknown', `${name} não respondeu.`)
}

/** Returns a sentence on what is wrong with a gateway's settings, from the error of a call. */
export function problemOf(error: unknown, gateway: Pick<Gateway, 'name' | 'url'>): string {
  if (isSendFailure(error)) return error.message
  const { name, url } = gateway
  const host = URL.parse(url)?.host ?? url
  if (isKeyRefused(error)) return `${atFirst(gateway)} não aceitou a chave. Confira-a.`
  if (error instanceof GatewayRefusal && error.status === 429)
    return `${atFirst(gateway)} pediu para esperar. Tente de novo daqui a pouco.`
  if (error instanceof GatewayRefusal)
    return error.status >= 500
      ? `${atFirst(gateway)} respondeu com um erro dela (${error.status}). Veja o registro do servidor dela.`
      : `Em ${host} não responde ${name}. Confira o endereço.`
  if (!(error instanceof AppError)) throw error
  return reachProblem(host, error)
}

/** Runs a call that a gateway should answer; returns the problem as a sentence if it fails. */
export const tried = (
  gateway: Pick<Gateway, 'name' | 'url'>,
  work: () => Promise<unknown>,
): Promise<{ ok: true } | { ok: false; problem: string }> =>
  work().then(
    () => ({ ok: true }) as const,
    (error: unknown) => ({ ok: false, problem: problemOf(error, gateway) }) as const,
  )
