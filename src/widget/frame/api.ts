import { explained } from './labels.ts'
import { parsed } from './parsed.ts'

/** Failure of a call: the server's code and sentence, or status 0 when it was not reached. */
export type Failure = {
  ok: false
  status: number
  code: string
  text: string
  retryAfter: number
  /** Sentences by subject. */
  details: Readonly<Record<string, unknown>>
}

/** Answer of a call, or its failure. */
export type Result<T> = { ok: true; value: T } | Failure

const FAILED = 'Não foi possível enviar.'
const OFFLINE: Failure = { ok: false, status: 0, code: '', text: 'Sem conexão.', retryAfter: 0, details: {} }

function read<T>(status: number, body: string, retryAfter: string | null): Result<T> {
  const value = parsed(body) ?? {}
  if (status >= 200 && status < 300) return { ok: true, value: value as T }
  const {
    error = '',
    message = FAILED,
    details = {},
  } = value as { error?: string; message?: string; details?: Failure['details'] }
  return {
    ok: false,
    status,
    code: error,
    text: explained(message, FAILED),
    retryAfter: Number(retryAfter) || 0,
    details,
  }
}

/** Calls to `/api/webchat`; never throws. */
export function createApi(visitorToken: () => string | null) {
  const bearer = (): Record<string, string> => {
    const token = visitorToken()
    return token ? { authorization: `Bearer ${token}` } : {}
  }

  const call = async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Result<T>> => {
    try {
      const answer = await fetch(`/api/webchat/${path}`, {
        method,
        headers: body ? { ...bearer(), 'content-type': 'application/json' } : bearer(),
        body: body ? JSON.stringify(body) : undefined,
        signal: AbortSignal.timeout(20_000),
      })
      return read(answer.status, await answer.text(), answer.headers.get('retry-after'))
    } catch {
      return OFFLINE
    }
  }

  /** Sends a file; `progress` is called with 0 … 1. */
  const upload = <T>(form: FormData, progress: (part: number) => void): Promise<Result<T>> =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.open('POST', '/api/webchat/upload')
      request.timeout = 300_000
      for (const [name, value] of Object.entries(bearer())) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => progress(loaded / total)
      request.onload = () =>
        resolve(read(request.status, request.responseText, request.getResponseHeader('retry-after')))
      request.onerror = request.ontimeout = () => resolve(OFFLINE)
      request.send(form)
    })

  return {
    get: <T>(path: string) => call<T>('GET', path),
    post: <T>(path: string, body: unknown) => call<T>('POST', path, body),
    upload,
  }
}

/** Return type of `createApi`. */
export type Api = ReturnType<typeof createApi>
