import { failureOf, type Gateway, GatewayRefusal, gatewayCalls, isKeyRefused, problemOf } from '../gateway-calls.ts'
import { refusalOf } from '../meta-errors.ts'
import { type ChannelTools, needsPerson, type SendFailure, sendFailure } from '../port.ts'

/** An account of a channel as the hub lists it. */
export type HubChannel = { readonly id: string; readonly name: string; readonly channel: string }

type Problem = {
  readonly code?: unknown
  readonly message?: unknown
  readonly error?: unknown
  readonly title?: unknown
}

/** What an answer, or a status, says went wrong: a code of Meta's where it names one, and its own words; null: nothing. */
export function problemIn(answer: unknown): { code: number | null; text: string } | null {
  const { error } = (answer ?? {}) as { error?: unknown }
  if (!error) return null
  if (typeof error !== 'object') return { code: null, text: String(error).slice(0, 300) }
  const { code, message, title, error: inner } = error as Problem
  // Meta's own error may lie within the hub's.
  if (inner && typeof inner === 'object') return problemIn(error)
  const known = Number(code)
  const text = [message, title].find((one) => typeof one === 'string') ?? ''
  return { code: code !== undefined && Number.isInteger(known) ? known : null, text: String(text).slice(0, 300) }
}

/** Calls of the hub with one token. What it refuses in an answer of 200 is a refusal as well. */
export function openHub(tools: Pick<ChannelTools, 'fetch'>, { url = '', key = '' }: { url?: string; key?: string }) {
  const gateway: Gateway = { name: 'o NotificaMe Hub', url, headers: { 'x-api-token': key } }
  const ask = gatewayCalls(tools, gateway)
  const call: typeof ask = async <T>(path: string, about?: Parameters<typeof ask>[1]): Promise<T> => {
    const answer = await ask<T>(path, about)
    if (problemIn(answer)) throw new GatewayRefusal(400, answer)
    return answer
  }
  /** Every account of the token. */
  async function channels(): Promise<HubChannel[]> {
    const answer = await call<unknown>('/channels')
    const list = listIn<Partial<HubChannel>>(answer, 'channels')
    if (!list) throw new GatewayRefusal(0, answer)
    return list.flatMap(({ id, name, channel }) =>
      id && channel ? [{ id: String(id), name: String(name || channel), channel: String(channel) }] : [],
    )
  }
  return {
    ...{ gateway, call, channels },
    /** Fails where the token is not, or no more, one of the hub's, or the account is none of it. */
    async requireChannel(id: string): Promise<void> {
      if (!(await channels()).some((one) => one.id === id)) throw needsPerson(NO_CHANNEL)
    },
    /** What is wrong with address and token, for people. */
    problem(error: unknown): string {
      if (error instanceof GatewayRefusal && (error.status === 404 || error.status === 400))
        return `Em ${URL.parse(url)?.host ?? url} o NotificaMe Hub não reconheceu o token. Confira o endereço e o token.`
      return problemOf(error, gateway)
    },
  }
}

/** What is said of an account that the hub does not list. */
export const NO_CHANNEL = 'Este canal não está mais na conta do hub. Escolha-o de novo na conexão.'

/** A list, as such or within an answer. */
export function listIn<T>(answer: unknown, name: string): readonly T[] | null {
  const found = Array.isArray(answer) ? answer : ((answer ?? {}) as Record<string, unknown>)[name]
  const within = found ?? ((answer ?? {}) as { data?: unknown }).data
  return Array.isArray(within) ? (within as T[]) : null
}

/** Whether an answer says that the token is worth nothing: the hub answers 404 to one that it does not know. */
export const isTokenRefused = (error: unknown): boolean =>
  isKeyRefused(error) || (error instanceof GatewayRefusal && error.status === 404)

/** What became of something sent, from what its call failed with. */
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
  // Without a code the status says more than the words.
  if (error.status !== 400) return Object.assign(failureOf(error, gateway), about)
  return sendFailure('refused', 'O NotificaMe Hub não aceitou a mensagem.', about)
}
