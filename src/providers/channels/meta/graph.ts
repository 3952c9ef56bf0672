import type { z } from 'zod'
import { AppError, toError } from '#kit/errors.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { record, textOrNumber } from '#kit/outside-fields.ts'
import { refusalOf } from '../meta-errors.ts'
import { type ChannelTools, sendFailure } from '../port.ts'
import { type GraphError, graphError } from './schemas.ts'

/** Client of the Graph API for one connection. */
export type Graph = ReturnType<typeof openGraph>

/** Returns the text of a Graph API error, at most 300 characters; '' if there is none. */
export const providerTextOf = ({ message, title, error_data }: GraphError = {}): string =>
  (error_data?.details || message || title || '').slice(0, 300)

/** Error of the Graph API: code and subcode (null if none), and its text. */
export class GraphRefusal extends Error {
  readonly code: number | null
  readonly subcode: number | null
  readonly status: number
  readonly providerText: string
  /** Seconds of Retry-After; 0 if not given. */
  readonly waitSeconds: number
  constructor(status: number, error: GraphError = {}, retryAfter: unknown = undefined) {
    super(`the Graph API answered ${status}, code ${error.code ?? null}`)
    this.code = error.code ?? null
    this.subcode = error.error_subcode ?? null
    this.status = status
    this.providerText = providerTextOf(error)
    this.waitSeconds = Math.min(Number(retryAfter) || 0, MOST_WAIT)
  }
}

/** Maximum wait in seconds; with a longer Retry-After the call is retried earlier. */
const MOST_WAIT = 3600
const UPLOAD_MS = 120_000

type Call = {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly query?: Readonly<Record<string, string>>
  readonly json?: object
  readonly form?: FormData
  /** Token to use in place of the connection's. */
  readonly token?: string
}

/**
 * Creates a client of the Graph API (at `of`, an environment variable) for one version and one token; calls fail with
 * `GraphRefusal`, or as `fetch` does without a response.
 */
export function openGraph(
  { fetch, stream, environment }: ChannelTools,
  version: string,
  token: string,
  of: 'META_GRAPH_URL' | 'META_INSTAGRAM_URL' = 'META_GRAPH_URL',
) {
  const host = (environment[of] ?? '').replace(/\/$/, '')
  const authorization = `Bearer ${token}`
  async function call(
    path: readonly string[],
    { method = 'GET', query = {}, json, form, token: other }: Call = {},
  ): Promise<unknown> {
    const search = new URLSearchParams(query).toString()
    const address = [host, versionOf(version), ...path.map(encodeURIComponent)].join('/')
    const written = form ? new Response(form) : null
    const type = written?.headers.get('content-type') ?? 'application/json'
    const body = written ? new Uint8Array(await written.arrayBuffer()) : json && JSON.stringify(json)
    const {
      status,
      headers,
      body: bytes,
    } = await fetch(search ? `${address}?${search}` : address, {
      method,
      headers: {
        authorization: other ? `Bearer ${other}` : authorization,
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
      ...(form ? { answerMs: UPLOAD_MS } : {}),
    })
    const answer = parsed(bytes)
    const { error } = readOutside(failed, answer)?.data ?? {}
    if (status !== 200 || error) throw new GraphRefusal(status, error, headers['retry-after'])
    return answer
  }
  return {
    call,
    /** Calls the API and reads the response by a schema; a response that lacks required values fails as a server error. */
    async ask<S extends z.ZodType>(schema: S, path: readonly string[], about: Call = {}): Promise<z.output<S>> {
      const read = readOutside(schema, await call(path, about))
      if (!read) throw new GraphRefusal(502)
      return read.data
    },
    /** Uploads the bytes of a file into an upload session; returns the file's handle. */
    async fill(session: string, bytes: Uint8Array): Promise<string> {
      const answer = await fetch([host, versionOf(version), session].join('/'), {
        ...{ method: 'POST', body: bytes, answerMs: UPLOAD_MS },
        headers: { authorization: `OAuth ${token}`, file_offset: '0', 'content-type': 'application/octet-stream' },
      })
      const { h, error } = readOutside(filled, parsed(answer.body))?.data ?? {}
      if (answer.status !== 200 || !h) throw new GraphRefusal(answer.status, error)
      return h
    },
    /** Opens a link that the Graph API returned. */
    open: (link: string) => openLink(stream, link, { authorization }),
  }
}

/** Opens a link as a stream; fails with `GraphRefusal` unless the status is 200. */
export async function openLink(
  stream: ChannelTools['stream'],
  link: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await stream(link, { headers, answerMs: UPLOAD_MS })
  if (answer.status === 200) return answer.body
  answer.body.destroy()
  throw new GraphRefusal(answer.status)
}

/**
 * Creates the error of a file that cannot be fetched now (no response, token refused); it is requested three times within
 * ten minutes.
 */
export const fileUnavailable = (): Error => sendFailure('unreachable', 'A Meta não respondeu.', { waitSeconds: 295 })

const versionOf = (version: string): string => `v${version.replace(/^v/i, '')}`

const failed = record({ error: graphError })
const filled = record({ h: textOrNumber, error: graphError })

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes)
  } catch {
    return {}
  }
}

/** Converts the error of a call into a `SendFailure`; `isBefore`: the call preceded the sending, so nothing was sent. */
export function failureOf(error: unknown, isBefore: boolean): Error {
  if (error instanceof GraphRefusal) {
    const { text, isRepeated, isUnpaid, stops } = refusalOf(error.code, error.status, error.subcode)
    const { providerText, waitSeconds } = error
    const about = {
      ...(providerText ? { providerText } : {}),
      ...(waitSeconds ? { waitSeconds } : {}),
      ...(isUnpaid ? { isUnpaid } : {}),
      ...(stops ? { stops } : {}),
    }
    return sendFailure(isRepeated ? 'unreachable' : 'refused', text, about)
  }
  if (!(error instanceof AppError)) return toError(error)
  const { reason } = error.details ?? {}
  const isUnsent = isBefore || error.code !== 'ERR_OUTSIDE_CALL' || reason === 'unreached'
  return sendFailure(isUnsent ? 'unreachable' : 'unknown', 'A Meta não respondeu.')
}
