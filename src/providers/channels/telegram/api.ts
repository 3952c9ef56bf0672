import type { Readable } from 'node:stream'
import type { Api, GrammyError } from 'grammy'
import { fieldIn } from '#domain/keys.ts'
import { memberOf } from '#domain/present.ts'
import { withoutEnd } from '#domain/text.ts'
import { parseJson } from '#kit/outside.ts'
import { failureOf as failureOfCall, problemOf as problemOfCall } from '../gateway-calls.ts'
import { type ChannelTools, isSendFailure, type SendFailure, sendFailure } from '../port.ts'

/** Client of the Bot API for one token; `root` is its base URL. */
export type Telegram = {
  readonly root: string
  /**
   * Calls a method by grammY through the restricted `fetch`; `payload` null for methods without parameters. Fails as grammY
   * does.
   */
  readonly call: (method: string, payload: object | null, signal?: AbortSignal) => Promise<unknown>
  /** Returns the URL of a file path from `getFile`. */
  readonly fileAddress: (path: string) => string
}

type Method = (...about: unknown[]) => Promise<unknown>

/** Time-outs of a response, of a long poll, and of an upload, in ms. */
const ANSWER_MS = 30_000
const POLL_MS = 45_000
const UPLOAD_MS = 700_000
/** Maximum wait in seconds; with a longer `retry_after` the call is retried earlier. */
const MOST_WAIT = 3600

/** Creates a client of the Bot API; calls nothing before its first use. */
export function openTelegram({ fetch, environment }: ChannelTools, token: string): Telegram {
  const root = withoutEnd(environment['TELEGRAM_API_URL'] ?? '', /\//)
  const guarded = async (address: string, init: { body?: string | Readable } & Omit<RequestInit, 'body'>) => {
    const ended = new AbortController()
    init.signal?.addEventListener('abort', () => ended.abort())
    const isUpload = typeof init.body === 'object'
    const { status, body } = await fetch(address, {
      ...{ method: init.method ?? 'POST', headers: init.headers as Record<string, string>, signal: ended.signal },
      ...(init.body === undefined ? {} : { body: init.body }),
      answerMs: isUpload ? UPLOAD_MS : address.endsWith('/getUpdates') ? POLL_MS : ANSWER_MS,
    })
    return { status, json: async () => parseJson(body) }
  }
  let made: Promise<Api> | null = null
  return {
    root,
    async call(method: string, payload: object | null, signal?: AbortSignal) {
      made ??= import('grammy').then(({ Api: BotApi }) => {
        const options = { apiRoot: root, fetch: guarded, timeoutSeconds: UPLOAD_MS / 1000 }
        return new BotApi(token, options)
      })
      const { raw } = await made
      const run = memberOf(raw as unknown as Record<string, Method>, method)
      return payload ? run(payload, signal) : run(signal)
    },
    fileAddress: (path) => `${root}/file/bot${token}/${path}`,
  }
}

/** Returns the Bot API's refusal in an error; null for other errors. */
export const refusalIn = (error: unknown): Pick<GrammyError, 'error_code' | 'description' | 'parameters'> | null =>
  isGrammys(error) && typeof error.error_code === 'number' ? error : null

const isGrammys = (error: unknown): error is GrammyError => error instanceof Error && error.name === 'GrammyError'

/** Whether the Bot API refuses the token: unknown, or (404) of an impossible form. */
export const isTokenRefused = (error: unknown): boolean => [401, 404].includes(refusalIn(error)?.error_code ?? 0)

// grammY wraps what its `fetch` failed with.
const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.name === 'HttpError' ? fieldIn(error, 'error') : error

const NAME = { name: 'o Telegram' }

/** Sentences by patterns of the Bot API's error description; the first match counts. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/blocked by the user/i, 'O contato bloqueou o bot.'],
  [/user is deactivated/i, 'O contato não tem mais conta no Telegram.'],
  [/kicked|not a member/i, 'O bot foi retirado do grupo.'],
  [/initiate conversation/i, 'Pelo Telegram só se responde a quem já escreveu ao bot.'],
  [/not enough rights|CHAT_(WRITE|SEND_[A-Z]+)_FORBIDDEN|have no rights/i, 'O grupo não deixa o bot escrever.'],
  [/chat not found/i, 'O Telegram não encontra mais esta conversa.'],
  [/VOICE_MESSAGES_FORBIDDEN/i, 'O contato não aceita mensagens de voz.'],
  [/REACTION_INVALID|REACTION_NOT_ALLOWED/i, 'O Telegram não aceita esta reação. Escolha outra.'],
  [/can't be edited|can't be deleted/i, 'O Telegram não deixa mais mudar esta mensagem.'],
  [/message (to \w+ )?not found|MESSAGE_ID_INVALID/i, 'O Telegram não tem mais esta mensagem.'],
  [/too (large|big)|entity too large/i, 'O arquivo é grande demais para o Telegram: no máximo 50 MB, imagens 10 MB.'],
  [/caption is too long/i, 'O texto que vai com um arquivo pode ter no máximo 1024 letras no Telegram.'],
  [/PHOTO_INVALID_DIMENSIONS|IMAGE_PROCESS_FAILED/i, 'O Telegram não aceita esta imagem. Mande-a como documento.'],
]

/** Converts the error of a send or act into a `SendFailure`. */
export function failureOf(error: unknown): SendFailure {
  if (isSendFailure(error)) return error
  const refusal = refusalIn(error)
  if (!refusal) return failureOfCall(causeOf(error), NAME)
  const { error_code: code, description, parameters } = refusal
  if (isTokenRefused(error))
    return sendFailure('unreachable', 'O Telegram não aceita mais o token.', { stops: 'token' })
  if (code === 429) {
    const waitSeconds = Math.min(parameters.retry_after ?? 1, MOST_WAIT)
    return sendFailure('unreachable', 'O Telegram pediu para esperar.', { waitSeconds })
  }
  if (code >= 500) return sendFailure('unknown', 'O Telegram falhou ao enviar.')
  const [, text] = refusals.find(([pattern]) => pattern.test(description)) ?? [
    null,
    'O Telegram não aceitou a mensagem.',
  ]
  const isGone = code === 403 && /blocked|kicked|not a member|deactivated/i.test(description)
  return sendFailure('refused', text, {
    providerText: description.slice(0, 300),
    ...(isGone ? { blocksUs: true } : {}),
  })
}

/** Returns a sentence on what is wrong with the settings. */
export function problemOf(error: unknown, { root }: Pick<Telegram, 'root'>): string {
  const refusal = refusalIn(error)
  if (isTokenRefused(error)) return 'O Telegram não conhece este token. Confira-o com o @BotFather.'
  if (refusal?.error_code === 429) return 'O Telegram pediu para esperar. Tente de novo daqui a pouco.'
  if (refusal) return `O Telegram respondeu com um erro (${refusal.error_code}). Tente de novo daqui a pouco.`
  const cause = causeOf(error)
  // Any other response comes from another server.
  if (cause instanceof SyntaxError || isGrammys(error))
    return `Em ${URL.parse(root)?.host ?? root} não responde o Telegram. Confira TELEGRAM_API_URL.`
  return problemOfCall(cause, { ...NAME, url: root })
}
