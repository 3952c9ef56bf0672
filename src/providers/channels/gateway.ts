import { failureOf, type Gateway, GatewayRefusal, isKeyRefused, tried } from './gateway-calls.ts'
import { gatewayFaults } from './gateway-faults.ts'
import { groupNews, type KnownGroup } from './group-news.ts'
import {
  type ChannelAdapter,
  type ChannelQuestions,
  type ChannelTools,
  type Door,
  type Link,
  needsPerson,
  type SendFailure,
  sendFailure,
} from './port.ts'
import { makeRest } from './rest.ts'

/** State of the phone behind a gateway; `gone`: the gateway no longer has it. */
export type PhoneState = {
  readonly is: 'open' | 'opening' | 'closed' | 'gone'
  /** Digits of the number, if the gateway returns them. */
  readonly number?: string | null
}

/** Code to scan or type, with its lifetime in seconds; `qrcode` is its text, or its picture as a data URI. */
export type PhoneCode = { readonly seconds: number } & ({ readonly qrcode: string } | { readonly pairingCode: string })

/** Port to the phone of one connection at a gateway; fails as the gateway's calls do. */
export type GatewayPhone = {
  /** Creates the phone's instance at the gateway unless it exists. */
  make(door: Door & { readonly url: string }): Promise<void>
  /** Returns the state; polled, without side effects. */
  state(): Promise<PhoneState>
  /** Returns the current linking code, typed if digits were given; null if there is none yet. */
  code(pairing: string | null): Promise<PhoneCode | null>
  /** Reconnects a linked phone, if the gateway does not do so by itself. */
  resume?(): Promise<void>
  /** Whether the gateway's webhook is this URL with the events that we read. */
  callsUs(url: string): Promise<boolean>
  setWebhook(url: string): Promise<void>
  logout(): Promise<void>
  groups?(): Promise<readonly KnownGroup[]>
}

/** Intervals of polling an open phone, and the gateway's webhook, in ms. */
const LOOK_MS = 60_000
const WEBHOOK_MS = 600_000
/** Pause between two readings of all groups, as a multiple of the duration of the last one. */
const GROUPS_REST = 9
/** Interval of polling a phone that is being linked or is reconnecting, in ms. */
const SOON_MS = 3000
/**
 * Number of polls after which a linked phone that is gone or closed counts as unlinked, because a restarting gateway finds
 * and opens its phones one by one; and number of polls after which an opening phone is tried again.
 */
const GONE_LOOKS = 3
const CLOSED_LOOKS = 10
const OPENING_LOOKS = 20
/** State entry that records that a phone was linked. */
const LINKED = 'linked'

const NO_ADDRESS = 'A instalação não sabe o próprio endereço: defina PUBLIC_URL, que o gateway precisa chamar.'
const NOTHING_SET = (name: string) => `Preencha antes ${name} em Configurações: endereço e chave.`

/**
 * Life cycle of a connection whose phone is at a gateway: created, linked by code, polled each minute and after webhook
 * calls; its webhook is checked every ten minutes.
 */
export function gatewayLife(
  gateway: Gateway,
  phone: GatewayPhone,
  { door, now, log }: Pick<ChannelTools, 'door' | 'now' | 'log'>,
): Pick<Required<ChannelAdapter>, 'open' | 'close' | 'logout' | 'look' | 'setWebhook' | 'test' | 'faults'> {
  const rest = makeRest()
  const doorUrl = (): string => {
    if (!door?.url) throw needsPerson(NO_ADDRESS)
    return door.url
  }

  async function ensureWebhook() {
    if (!(await phone.callsUs(doorUrl()))) await phone.setWebhook(doorUrl())
  }

  /** Shows codes until the phone is open. */
  async function link(link: Link): Promise<PhoneState> {
    let shown = ''
    for (;;) {
      const state = await phone.state()
      if (state.is === 'open' || rest.isOver()) return state
      if (state.is === 'gone') await phone.make({ ...door!, url: doorUrl() })
      const code = await phone.code(link.pairing)
      if (code && JSON.stringify(code) !== shown) await link.status('qrcode', code)
      shown = code ? JSON.stringify(code) : shown
      await rest.pause(SOON_MS)
    }
  }

  /** Waits until a phone that was linked is back. */
  async function comeBack(): Promise<PhoneState> {
    let closed = 0
    for (let looks = 0; looks < OPENING_LOOKS; looks++) {
      const state = await phone.state()
      if (state.is === 'open' || rest.isOver()) return state
      closed = state.is === 'opening' ? 0 : closed + 1
      if (closed >= (state.is === 'gone' ? GONE_LOOKS : CLOSED_LOOKS))
        throw needsPerson(`the phone is ${state.is}`, 'unlinked')
      if (state.is !== 'gone') await phone.resume?.()
      await rest.pause(SOON_MS)
    }
    throw new Error('the phone does not come back')
  }

  /** Writes the groups of the phone; returns the time until which they are not read again. */
  async function writeGroups({ emit, state }: Link): Promise<number> {
    const began = performance.now()
    const groups = await (phone.groups?.() ?? Promise.resolve([])).catch((err: unknown) => {
      log.warn({ err }, 'the groups of a gateway’s phone were not read')
      return []
    })
    for await (const { events, entries } of groupNews(state, groups, now().getTime())) await emit(events, entries)
    const ended = performance.now()
    return ended + GROUPS_REST * (ended - began)
  }

  async function live(to: Link) {
    if (gateway.url === '') throw needsPerson('nothing is filled in of the gateway')
    const url = doorUrl()
    const wasLinked = (await to.state.get([LINKED])).has(LINKED)
    if (!wasLinked) {
      await phone.make({ ...door!, url })
      await ensureWebhook()
    }
    const { number } = wasLinked ? await comeBack() : await link(to)
    if (rest.isOver()) return
    if (wasLinked) await ensureWebhook()
    if (!wasLinked) await to.emit([], new Map([[LINKED, true]]))
    await to.status('CONNECTED', number ? { number } : {})
    // The gateway delivers messages of the meantime by itself, or not at all.
    await to.caughtUp(null)
    let restsUntil = await writeGroups(to)
    let hasNews: boolean = false
    let ensuredAt = performance.now()
    for (;;) {
      const waits: number = hasNews ? restsUntil - performance.now() : LOOK_MS
      hasNews = (await rest.pause(Math.min(LOOK_MS, waits))) || hasNews
      if (rest.isOver()) return
      const { is } = await phone.state()
      if (is !== 'open') throw new Error(`the phone is ${is}`)
      if (hasNews && performance.now() >= restsUntil) {
        restsUntil = await writeGroups(to)
        hasNews = false
      }
      if (performance.now() - ensuredAt < WEBHOOK_MS) continue
      await ensureWebhook()
      ensuredAt = performance.now()
    }
  }

  return {
    open: (to) =>
      live(to).catch((error: unknown) => {
        throw isKeyRefused(error) ? needsPerson('the gateway refused the key', 'token') : error
      }),
    async close() {
      rest.end()
    },
    logout: () => phone.logout(),
    look: rest.wake,
    faults: gatewayFaults(gateway),
    async setWebhook() {
      if (!door?.url) throw sendFailure('refused', NO_ADDRESS)
      const { url } = door
      const done = await tried(gateway, () => phone.setWebhook(url))
      if (!done.ok) throw sendFailure('refused', done.problem)
    },
    async test() {
      if (gateway.url === '') return { ok: false, problem: NOTHING_SET(gateway.name) }
      if (!door?.url) return { ok: false, problem: NO_ADDRESS }
      // A missing instance is created at the opening.
      return tried(gateway, () => phone.state())
    },
  }
}

/** Returns an error handler that returns `instead` for refusals with one of these statuses and rethrows other errors. */
export const unlessRefused =
  <T>(statuses: readonly number[], instead: T) =>
  (error: unknown): T => {
    if (error instanceof GatewayRefusal && statuses.includes(error.status)) return instead
    throw error
  }

/** Words of a gateway's response, of any status, that its phone is not connected; nothing was sent. */
const AWAY = /connection closed|\bnot connected|\bdisconnected|\bno session\b|not logged ?in|to be connected/i

/** Words of a gateway's response that its phone disconnected before confirming; the message may have been sent. */
const WENT = /disconnected before .{0,80} returned response/i

/** Converts the error of a send or act by a phone into a `SendFailure`. */
export function phoneFailureOf(error: unknown, gateway: Pick<Gateway, 'name'>): SendFailure {
  if (!(error instanceof GatewayRefusal) || isKeyRefused(error)) return failureOf(error, gateway)
  const answer = JSON.stringify(error.answer)
  if (WENT.test(answer)) return sendFailure('unknown', 'A conexão do celular caiu durante o envio.')
  if (AWAY.test(answer)) return sendFailure('unreachable', 'O celular não está conectado ao gateway agora.')
  return failureOf(error, gateway)
}

/** Returns an error handler that rethrows the error of a send or act by a phone as a `SendFailure`. */
export const asPhoneFailure =
  (gateway: Pick<Gateway, 'name'>) =>
  (error: unknown): never => {
    throw phoneFailureOf(error, gateway)
  }

/** Supported queries of a gateway; others are refused, and any error becomes a `SendFailure`. */
export type GatewayQuestions = {
  readonly [Q in keyof ChannelQuestions]?: (
    about: ChannelQuestions[Q]['about'],
  ) => Promise<ChannelQuestions[Q]['answer']>
}

/** Returns the adapter's `ask` for supported queries. */
export const answering =
  (gateway: Gateway, questions: GatewayQuestions): Required<ChannelAdapter>['ask'] =>
  async (question, about) => {
    const answer = questions[question]
    if (!answer) throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
    return answer(about).catch(asPhoneFailure(gateway))
  }

/** Fetches a picture from its address; null without an address. */
export async function pictureAt(
  { fetch }: Pick<ChannelTools, 'fetch'>,
  address: string | null | undefined,
): Promise<Uint8Array | null> {
  if (!address) return null
  const { status, body } = await fetch(address)
  if (status === 200) return body
  throw sendFailure('unreachable', 'ERR_WAPP_DOWNLOAD_MEDIA')
}
