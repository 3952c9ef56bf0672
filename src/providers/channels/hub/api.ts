import { z } from 'zod'
import { fieldIn } from '#domain/keys.ts'
import { readOutside } from '#kit/outside.ts'
import { numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'
import { failureOf, type Gateway, GatewayRefusal, gatewayCalls, isKeyRefused, problemOf } from '../gateway-calls.ts'
import { refusalOf } from '../meta-errors.ts'
import { type ChannelTools, needsPerson, type SendFailure, sendFailure } from '../port.ts'

/** Account of a channel in the hub's list. */
export type HubChannel = { readonly id: string; readonly name: string; readonly channel: string }

/** Returns the error of a response or a status: Meta's code, if named, and the error text; null if there is none. */
export function problemIn(answer: unknown): { code: number | null; text: string } | null {
  const error = fieldIn(answer, 'error')
  if (!error) return null
  if (typeof error !== 'object') return { code: null, text: String(error).slice(0, 300) }
  // Meta's own error may be nested in the hub's.
  const inner = fieldIn(error, 'error')
  if (inner && typeof inner === 'object') return problemIn(error)
  const { code = null, message, title } = readOutside(problem, error)?.data ?? {}
  return { code: Number.isInteger(code) ? code : null, text: (message ?? title ?? '').slice(0, 300) }
}

const problem = record({ code: numberOrText, message: text, title: text })

/** Creates a client of the hub for one token; an error within a 200 response counts as a refusal. */
export function openHub(tools: Pick<ChannelTools, 'fetch'>, { url = '', key = '' }: { url?: string; key?: string }) {
  const gateway: Gateway = { name: 'o NotificaMe Hub', url, headers: { 'x-api-token': key } }
  const ask = gatewayCalls(tools, gateway)
  const call = async (path: string, about?: Parameters<typeof ask>[1]): Promise<unknown> => {
    const answer = await ask<unknown>(path, about)
    if (problemIn(answer)) throw new GatewayRefusal(400, answer)
    return answer
  }
  /** Returns all accounts of the token. */
  async function channels(): Promise<HubChannel[]> {
    const answer = await call('/channels')
    const list = listIn(answer, 'channels')
    if (!list) throw new GatewayRefusal(0, answer)
    return (readOutside(listed, list)?.data ?? []).flatMap(({ id, name, channel }) =>
      id && channel ? [{ id, name: name || channel, channel }] : [],
    )
  }
  return {
    ...{ gateway, call, channels },
    /** Fails if the hub refuses the token, or does not list the account. */
    async requireChannel(id: string): Promise<void> {
      if (!(await channels()).some((one) => one.id === id)) throw needsPerson(NO_CHANNEL)
    },
    /** Returns a sentence on what is wrong with URL and token. */
    problem(error: unknown): string {
      if (error instanceof GatewayRefusal && (error.status === 404 || error.status === 400))
        return `Em ${URL.parse(url)?.host ?? url} o NotificaMe Hub não reconheceu o token. Confira o endereço e o token.`
      return problemOf(error, gateway)
    },
  }
}

/** Text for an account that the hub does not list. */
export const NO_CHANNEL = 'Este canal não está mais na conta do hub. Escolha-o de novo ao editar o canal.'

const listed = z.array(record({ id: text, name: text, channel: text }))

/** Returns the list in a response, either bare or within a field; null if there is none. */
export function listIn(answer: unknown, name: string): readonly unknown[] | null {
  const within = Array.isArray(answer) ? answer : (fieldIn(answer, name) ?? fieldIn(answer, 'data'))
  return Array.isArray(within) ? within : null
}

/** Whether the token was refused; the hub answers 404 to an unknown one. */
export const isTokenRefused = (error: unknown): boolean =>
  isKeyRefused(error) || (error instanceof GatewayRefusal && error.status === 404)

/** Converts the error of a sending call into a `SendFailure`. */
export function sendFailureOf(error: unknown, gateway: Pick<Gateway, 'name'>): SendFailure {
  const problem = error instanceof GatewayRefusal ? problemIn(error.answer) : null
  if (!problem || !(error instanceof GatewayRefusal)) return failureOf(error, gateway)
  const about = problem.text ? { providerText: problem.text } : {}
  if (problem.code !== null) {
    const { text, isRepeated, isUnpaid, stops } = refusalOf(problem.code, error.status)
    return sendFailure(isRepeated ? 'unreachable' : 'refused', text, {
      ...{ ...about, ...(isUnpaid ? { isUnpaid } : {}), ...(stops ? { stops } : {}) },
    })
  }
  // Without a code the status says more than the text.
  if (error.status !== 400) return Object.assign(failureOf(error, gateway), about)
  return sendFailure('refused', 'O NotificaMe Hub não aceitou a mensagem.', about)
}

/** Returns an error handler that rethrows the error of a sending call as a `SendFailure`. */
export const asSendFailure =
  (gateway: Pick<Gateway, 'name'>) =>
  (error: unknown): never => {
    throw sendFailureOf(error, gateway)
  }
