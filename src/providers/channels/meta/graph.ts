import { AppError } from '#kit/errors.ts'
import { type ChannelTools, sendFailure } from '../port.ts'
import { refusalOf } from './errors.ts'

/** How the Graph API is reached for one connection. */
export type Graph = ReturnType<typeof openGraph>

/** What the Graph API refused: its code, null where it gave none. */
export class GraphRefusal extends Error {
  readonly code: number | null
  readonly status: number
  constructor(code: number | null, status: number) {
    super(`the Graph API answered ${status}, code ${code}`)
    this.code = code
    this.status = status
  }
}

const UPLOAD_MS = 120_000

type Call = {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly query?: Readonly<Record<string, string>>
  readonly json?: object
  readonly form?: FormData
  /** In place of the connection's token. */
  readonly token?: string
}

/** Calls the Graph API in one version with one token; fails with `GraphRefusal`, or as `fetch` does where no answer came. */
export function openGraph({ fetch, stream, environment }: ChannelTools, version: string, token: string) {
  const host = (environment['META_GRAPH_URL'] ?? '').replace(/\/$/, '')
  const authorization = `Bearer ${token}`
  return {
    async call<T>(
      path: readonly string[],
      { method = 'GET', query = {}, json, form, token: other }: Call = {},
    ): Promise<T> {
      const search = new URLSearchParams(query).toString()
      const address = [host, versionOf(version), ...path.map(encodeURIComponent)].join('/')
      const written = form ? new Response(form) : null
      const type = written?.headers.get('content-type') ?? 'application/json'
      const body = written ? new Uint8Array(await written.arrayBuffer()) : json && JSON.stringify(json)
      const { status, body: bytes } = await fetch(search ? `${address}?${search}` : address, {
        method,
        headers: {
          authorization: other ? `Bearer ${other}` : authorization,
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined ? {} : { body }),
        ...(form ? { answerMs: UPLOAD_MS } : {}),
      })
      const answer = parsed(bytes) as T & { error?: { code?: number } }
      if (status !== 200 || answer.error) throw new GraphRefusal(answer.error?.code ?? null, status)
      return answer
    },
    /** Fills an upload that was begun with the bytes of its file; answers how the Graph API knows them (its handle). */
    async fill(session: string, bytes: Uint8Array): Promise<string> {
      const answer = await fetch([host, versionOf(version), session].join('/'), {
        ...{ method: 'POST', body: bytes, answerMs: UPLOAD_MS },
        headers: { authorization: `OAuth ${token}`, file_offset: '0', 'content-type': 'application/octet-stream' },
      })
      const { h, error } = parsed(answer.body) as { h?: string; error?: { code?: number } }
      if (answer.status !== 200 || !h) throw new GraphRefusal(error?.code ?? null, answer.status)
      return h
    },
    /** What stands at a link that the Graph API gave. */
    async open(link: string) {
      const answer = await stream(link, { headers: { authorization }, answerMs: UPLOAD_MS })
      if (answer.status === 200) return answer.body
      answer.body.destroy()
      throw new GraphRefusal(null, answer.status)
    },
  }
}

const versionOf = (version: string): string => `v${version.replace(/^v/i, '')}`

function parsed(bytes: Uint8Array): object {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as object
  } catch {
    return {}
  }
}

/** What became of a send, from what it failed with; whatever went before it (`isBefore`) has sent nothing. */
export function failureOf(error: unknown, isBefore: boolean): Error {
  if (error instanceof GraphRefusal) {
    const { text, isRepeated, stops } = refusalOf(error.code, error.status)
    return sendFailure(isRepeated ? 'unreachable' : 'refused', text, stops ? { stops } : {})
  }
  if (!(error instanceof AppError)) return error as Error
  const { reason } = (error.details ?? {}) as { reason?: string }
  const isUnsent = isBefore || error.code !== 'ERR_OUTSIDE_CALL' || reason === 'unreached'
  return sendFailure(isUnsent ? 'unreachable' : 'unknown', 'A Meta não respondeu.')
}
