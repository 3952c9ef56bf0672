import { itemAt } from '#domain/present.ts'
import { queryString } from '#kit/addresses.ts'
import { errorText } from '#kit/errors.ts'
import { endSession, isEnding, refreshSession } from './session/refresh.ts'
import { token } from './session/session.ts'
import { boot } from './start/boot.ts'
import { takePreloaded } from './start/preload.ts'
import { createTopic } from './store.ts'
import { t } from './t.ts'
import { notify } from './ui/feedback/notify.tsx'

/** Refused or failed call: the catalogued code, sentences by field, the HTTP status (0 = not reached) and the request id. */
export type ApiError = Error & {
  code: string
  status: number
  details: Record<string, unknown>
  requestId: string | null
}

/** Whether a thrown value is an ApiError. */
export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError'

/** Returns the sentences of a refusal's details, by field; other details are left out. */
export const sentencesIn = (details: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(details).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])))

/** Whether an error has a sentence for people, of the server or of the catalogue. */
export const isExplained = ({ code, message }: ApiError): boolean => message !== code || errorText(code) !== code

/**
 * Returns the sentence to show for any thrown value: the server's own; a code without one is shown raw with the request id
 * (decision A17).
 */
export function sentence(error: unknown): string {
  if (!isApiError(error)) return errorText('ERR_UNIDENTIFIED')
  if (error.status === 0) return t('Sem resposta do servidor. Confira a conexão e tente de novo.')
  const text = error.message === error.code ? errorText(error.code) : error.message
  return text === error.code && error.requestId ? `${text} (${error.requestId})` : text
}

/** Options of a call beyond method, path and data. */
export type CallOptions = {
  query?: Record<string, unknown>
  body?: unknown
  /** Uploads, imports, exports: 300 s instead of 60 s and no “taking longer” toast. */
  long?: boolean
  signal?: AbortSignal
  /** Idempotency key: repeats of one write send the same; POST generates one. */
  idempotencyKey?: string
  /** The caller shows the error itself. */
  quiet?: boolean
}

const slowAfter = 20_000
const abortAfter = 60_000
const longAbort = 300_000
const isAuth = (path: string) =>
  /^\/auth\/(login|refresh_token|logout|setup|masterkey|validate-a2f|a2f|passkey|google|confirm-email)/.test(path)
const otherVersion = createTopic<string>()

/** Subscribes to answers of a server with another version than this page's (decision B34). */
export const onOtherVersion = otherVersion.subscribe

/** Generates a random UUID, also where `crypto.randomUUID` is missing (plain http on a local network). */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (itemAt(bytes, 6) & 15) | 64
  bytes[8] = (itemAt(bytes, 8) & 63) | 128
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Creates an ApiError from its parts. */
export function apiError(
  code: string,
  status: number,
  rest: Partial<Pick<ApiError, 'message' | 'details' | 'requestId'>> = {},
): ApiError {
  return Object.assign(new Error(rest.message ?? code), {
    name: 'ApiError',
    code,
    status,
    details: rest.details ?? {},
    requestId: rest.requestId ?? null,
  })
}

async function send(method: string, path: string, options: CallOptions, key: string | undefined): Promise<Response> {
  const { query, body, long, signal } = options
  const bearer = token()
  const isForm = body instanceof FormData
  const slow = long ? undefined : setTimeout(notifySlow, slowAfter)
  const limit = AbortSignal.timeout(long ? longAbort : abortAfter)
  try {
    const address = `/api${path}${queryString(query)}`
    const preloaded = method === 'GET' ? takePreloaded(address, bearer) : undefined
    const answer =
      (preloaded && (await preloaded)) ??
      (await fetch(address, {
        method,
        credentials: 'same-origin',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        headers: {
          ...(bearer && !isAuth(path) ? { authorization: `Bearer ${bearer}` } : {}),
          ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
          ...(key ? { 'idempotency-key': key } : {}),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      }))
    noticeVersion(answer.headers.get('x-guiche-version'))
    return answer
  } catch (error) {
    if (signal?.aborted) throw error
    throw apiError(limit.aborted ? 'ERR_TIMEOUT' : 'ERR_NETWORK', 0)
  } finally {
    clearTimeout(slow)
  }
}

const notifySlow = () =>
  notify({
    id: 'slow',
    tone: 'warn',
    title: t('O processo está demorando mais do que o esperado. Por favor, aguarde.'),
  })

/** Compares an answer's version with the page's. */
function noticeVersion(version: string | null): void {
  if (!version || boot.version === 'dev' || version === boot.version) return
  otherVersion.publish(version)
}

async function parse(answer: Response): Promise<unknown> {
  if (answer.headers.has('content-disposition')) return answer.blob()
  const text = await answer.text()
  if (!text) return undefined
  return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
}

/** Converts an answer's body to an ApiError. */
export function errorOf(status: number, body: unknown): ApiError {
  const { error, message, details, requestId, ticket } = (
    typeof body === 'object' && body ? body : { error: body }
  ) as {
    error?: unknown
    message?: unknown
    details?: Record<string, unknown>
    requestId?: string
    ticket?: unknown
  }
  const code = typeof error === 'string' && error ? error : 'ERR_UNIDENTIFIED'
  return apiError(code, status, {
    message: typeof message === 'string' && message ? message : code,
    details: ticket ? { ...details, ticket } : (details ?? {}),
    requestId: requestId ?? null,
  })
}

let refused403 = 0

/** Whether a refused call deserves one refresh and one repeat: 401 always, 403 at most once a minute (decision A18). */
function mayRefresh(status: number, path: string, now = Date.now()): boolean {
  if (isAuth(path) || !token()) return false
  if (status === 401) return true
  if (status !== 403 || now - refused403 < 60_000) return false
  refused403 = now
  return true
}

/**
 * Calls the API. Returns the parsed answer, or throws an ApiError. A 401 or 403 is repeated once after a session refresh,
 * during which other calls wait; a refused refresh ends the session and opens the login page. A 402 shows a toast and ends
 * nothing (decision A18).
 */
export function request<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  underWay++
  return answered<T>(method, path, options).finally(() => underWay--)
}

let underWay = 0

/** Whether a call has not been answered yet. */
export const isAsking = (): boolean => underWay > 0

async function answered<T>(method: string, path: string, options: CallOptions): Promise<T> {
  const key = options.idempotencyKey ?? (method === 'POST' && !isAuth(path) ? uuid() : undefined)
  const used = token()
  let answer = await send(method, path, options, key)
  if ((answer.status === 401 || answer.status === 403) && mayRefresh(answer.status, path)) {
    if (await refreshSession(used)) answer = await send(method, path, options, key)
    else if (answer.status === 401) throw errorOf(401, await parse(answer))
  }
  const body = await parse(answer)
  if (answer.ok || answer.status === 304) return body as T
  const error = errorOf(answer.status, body)
  if (isAuth(path) || isEnding()) throw error
  // The renewed token is refused as well: the session is over (specification §4).
  if (error.code === 'ERR_SESSION_EXPIRED' && token()) endSession()
  else if (!options.quiet && [401, 402, 500].includes(answer.status)) notifyError(error)
  throw error
}

/** Shows the warning toast of an error; one per code at a time. */
export function notifyError(error: unknown): void {
  notify({ id: isApiError(error) ? error.code : 'error', tone: 'warn', title: sentence(error) })
}
