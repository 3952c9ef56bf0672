import { z } from 'zod'
import { withoutEnd } from '#domain/text.ts'
import { AppError } from '#kit/errors.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import { AssistantFailure, type AssistantProblem, type AssistantTools, type Usage } from './port.ts'

/** Returns a base URL without its last slash. */
export const baseOf = (address: unknown): string => withoutEnd(String(address ?? '').trim(), /\//)

/** Returns a base URL without its last slash; a URL without a path gets the given one. */
export function baseWith(address: unknown, path: string): string {
  const base = baseOf(address)
  const url = URL.parse(base)
  return url && (url.pathname === '/' || url.pathname === '') ? `${base}${path}` : base
}

type Call = {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: object
  readonly form?: Readonly<Record<string, string>>
  /** Files with fields, as a form that sets its own content type. */
  readonly files?: FormData
  /** File alone; `headers` name its type. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly signal: AbortSignal
}

/** Calls a provider; fails on a response without success, with the problem that its status and text mean. */
export async function ask({ fetch }: Pick<AssistantTools, 'fetch'>, url: string, call: Call): Promise<Response> {
  const { method = 'POST', headers = {}, json, form, files, bytes, signal } = call
  const body = files ?? bytes ?? (form ? new URLSearchParams(form).toString() : json && JSON.stringify(json))
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const response = await reached(signal, () =>
    fetch(url, {
      ...{ method, signal },
      headers: {
        accept: 'application/json, text/event-stream',
        ...headers,
        ...(json || form ? { 'content-type': type } : {}),
      },
      ...(body === undefined ? {} : { body }),
    }),
  )
  if (response.ok) return response
  const text = await response.text().catch(() => '')
  throw refusal(response, text)
}

/** Runs a part of a call; an error, time-out or abort becomes an `AssistantFailure`. */
export async function reached<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw failureOf(error, signal)
  }
}

function failureOf(error: unknown, signal: AbortSignal): AssistantFailure {
  if (error instanceof AssistantFailure) return error
  const cause = causeOf(error)
  const reason = cause?.details?.['reason']
  if (cause?.code === 'ERR_ADDRESS_REFUSED')
    return new AssistantFailure(
      'setup',
      'O endereço não pode ser chamado: é de uma rede interna que a instalação não liberou (OUTBOUND_ALLOW).',
      { hasLeft: false },
    )
  if (reason === 'size') return new AssistantFailure('size', 'A resposta é grande demais.')
  if (reason === 'unreached')
    return new AssistantFailure('unreachable', 'Não foi possível conectar ao endereço.', { hasLeft: false })
  if (reason === 'timeout' || signal.aborted || isAborted(error))
    return new AssistantFailure('timeout', 'O provedor não respondeu a tempo.')
  return new AssistantFailure('broken', 'A resposta foi interrompida no meio.')
}

const isAborted = (error: unknown): boolean => error instanceof Error && /abort/i.test(error.name)

function causeOf(error: unknown): AppError | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof AppError) return one
  return null
}

const described = z.looseObject({
  message: z.string(),
  code: z.union([z.string(), z.number()]).optional(),
  type: z.string().optional(),
  status: z.string().optional(),
})
const errorBody = record({
  error: z.union([z.string(), described]),
  message: z.union([z.string(), z.array(z.string())]),
  code: z.union([z.string(), z.number()]),
})

/** Parses code and message of an error body, in the form of any provider family. */
export function readError(text: string): { code: string; message: string } {
  let given: unknown
  try {
    given = parseJson(text)
  } catch {
    return { code: '', message: text.slice(0, 300) }
  }
  const { error, message, code } = readOutside(errorBody, given)?.data ?? {}
  if (typeof error === 'object')
    return { code: [error.code, error.type, error.status].filter(Boolean).join(' '), message: error.message }
  return { code: String(code ?? ''), message: error ?? [message ?? ''].flat().join(' ') }
}

const QUOTA = /insufficient_quota|insufficient balance|quota_exceeded|billing|credit balance/i

/** Returns the problem that a status and its error text mean. */
export function problemOf(status: number, { code, message }: { code: string; message: string }): AssistantProblem {
  const sentence = `${code} ${message}`
  if (status === 402 || QUOTA.test(sentence)) return 'quota'
  if (status === 401 || status === 403 || /API_KEY_INVALID|invalid_api_key|Invalid Key/i.test(sentence)) return 'login'
  if (status === 404) return 'missing'
  if (status === 429) return 'rate'
  if (status === 408 || status === 504) return 'timeout'
  if (status >= 500) return 'server'
  return /content_filter|safety|blocked/i.test(sentence) ? 'filtered' : 'refused'
}

/** Sentence for each problem, shown before the provider's own text. */
export const PROBLEMS: Readonly<Record<AssistantProblem, string>> = {
  setup: 'Falta preencher alguma coisa.',
  login: 'O provedor não aceitou a chave.',
  missing: 'O provedor não conhece o modelo, ou o endereço.',
  rate: 'O provedor pede para esperar: foram chamadas demais.',
  quota: 'A conta no provedor está sem saldo ou passou da cota.',
  refused: 'O provedor recusou o pedido.',
  filtered: 'O provedor bloqueou a resposta pelas regras dele.',
  empty: 'O provedor respondeu sem texto.',
  broken: 'A resposta foi interrompida no meio.',
  timeout: 'O provedor não respondeu a tempo.',
  unreachable: 'Não foi possível conectar ao endereço.',
  size: 'A resposta é grande demais.',
  server: 'O provedor está com problemas.',
  unread: 'A resposta não é a que este provedor costuma dar.',
}

/** Creates the failure of a problem, with the provider's text. */
export function failureBy(
  problem: AssistantProblem,
  message = '',
  more: { usage?: Usage; retryAfterMs?: number | null } = {},
) {
  const about = message.replace(/\s+/g, ' ').trim().slice(0, 200)
  return new AssistantFailure(problem, about ? `${PROBLEMS[problem]} (${about})` : PROBLEMS[problem], more)
}

function refusal({ status, headers }: Response, text: string): AssistantFailure {
  const read = readError(text)
  const seconds = Number(headers.get('retry-after'))
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null
  return failureBy(problemOf(status, read), read.message, { retryAfterMs })
}

/** Parses a whole response as JSON, leniently by a schema; fails if nothing matches. */
export async function readJson<S extends z.ZodType>(
  response: Response,
  shape: S,
  signal: AbortSignal,
): Promise<z.output<S>> {
  const text = await reached(signal, () => response.text())
  const read = readOutside(shape, parsed(text))
  if (!read) throw failureBy('unread')
  return read.data
}

/** Parses JSON; undefined if invalid. */
export function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Whether a response is a stream of events or lines. */
export const isStream = ({ headers }: Response): boolean =>
  /event-stream|ndjson|jsonl|x-json-stream/i.test(headers.get('content-type') ?? '')
