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

/** How the phone stands that a gateway keeps for us; `gone`: the gateway does not have it any more. */
export type PhoneState = {
  readonly is: 'open' | 'opening' | 'closed' | 'gone'
  /** Its digits, where the gateway says them. */
  readonly number?: string | null
}

/** A code to be read, or typed, for so many seconds; a `qrcode` is its text, or its picture as a data URI. */
export type PhoneCode = { readonly seconds: number } & ({ readonly qrcode: string } | { readonly pairingCode: string })

/** What a gateway does about the phone of one connection. All of it fails as its calls do. */
export type GatewayPhone = {
  /** Makes what the gateway keeps of a phone, unless it is there. */
  make(door: Door & { readonly url: string }): Promise<void>
  /** Asked again and again: it changes nothing. */
  state(): Promise<PhoneState>
  /** The code that links a phone now, typed where digits were given; null where there is none yet. */
  code(pairing: string | null): Promise<PhoneCode | null>
  /** Has a phone that was linked come back, where the gateway does not see to it by itself. */
  resume?(): Promise<void>
  /** Whether the gateway calls this address for what we read. */
  callsUs(url: string): Promise<boolean>
  setWebhook(url: string): Promise<void>
  logout(): Promise<void>
  groups?(): Promise<readonly KnownGroup[]>
}

/** So often a phone that is open is asked for, and the gateway for the address that it calls. */
const LOOK_MS = 60_000
const WEBHOOK_MS = 600_000
/** What reading all groups took is waited so many times before they are read again, however much happens in them. */
const GROUPS_REST = 9
/** So often one that is being linked, or comes back by itself, is asked for. */
const SOON_MS = 3000
/**
 * After so many looks at a phone that was linked and is gone, or closed, it is linked no more: a gateway that starts anew has not
 * found all of them at once, and opens them one by one. While it is opening, another try begins.
 */
const GONE_LOOKS = 3
const CLOSED_LOOKS = 10
const OPENING_LOOKS = 20
/** The entry of state that says a phone was linked. */
const LINKED = 'linked'

const NO_ADDRESS = 'A instalação não sabe o próprio endereço: defina PUBLIC_URL, que o gateway precisa chamar.'
const NOTHING_SET = (name: string) => `Preencha antes ${name} em Configurações: endereço e chave.`

/**
 * The life of a connection whose phone a gateway keeps: made there, linked by its code, watched by a question each minute and
 * whenever its webhook says something, and its webhook looked after every ten minutes.
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

  /** Answers until when they are not to be read again. */
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
    // What was said meanwhile the gateway tells by itself, or not at all.
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
      // One that is not there yet is made when it is opened.
      return tried(gateway, () => phone.state())
    },
  }
}

/** What an answer was refused with, where it is of one of these statuses; anything else goes on as it is. */
export const unlessRefused =
  <T>(statuses: readonly number[], instead: T) =>
  (error: unknown): T => {
    if (error instanceof GatewayRefusal && statuses.includes(error.status)) return instead
    throw error
  }

/** By which words a gateway says, with whatever status, that its phone is not there now: nothing left. */
const AWAY = /connection closed|\bnot connected|\bdisconnected|\bno session\b|not logged ?in|to be connected/i

/** By which words it says that its phone went before the answer to what it had passed on: that may have left. */
const WENT = /disconnected before .{0,80} returned response/i

/** What became of something that a phone was to send or do, from what its call failed with. */
export function phoneFailureOf(error: unknown, gateway: Pick<Gateway, 'name'>): SendFailure {
  if (!(error instanceof GatewayRefusal) || isKeyRefused(error)) return failureOf(error, gateway)
  const answer = JSON.stringify(error.answer)
  if (WENT.test(answer)) return sendFailure('unknown', 'A conexão do celular caiu durante o envio.')
  if (AWAY.test(answer)) return sendFailure('unreachable', 'O celular não está conectado ao gateway agora.')
  return failureOf(error, gateway)
}

/** What a gateway can be asked; anything else is refused, and whatever it fails with is a failure of its. */
export type GatewayQuestions = {
  readonly [Q in keyof ChannelQuestions]?: (
    about: ChannelQuestions[Q]['about'],
  ) => Promise<ChannelQuestions[Q]['answer']>
}

/** Answers by them. */
export const answering =
  (gateway: Gateway, questions: GatewayQuestions): Required<ChannelAdapter>['ask'] =>
  async (question, about) => {
    const answer = questions[question]
    if (!answer) throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
    return answer(about).catch((error: unknown) => {
      throw phoneFailureOf(error, gateway)
    })
  }

/** The bytes of a picture that a gateway named the address of; null where it named none. */
export async function pictureAt(
  { fetch }: Pick<ChannelTools, 'fetch'>,
  address: string | null | undefined,
): Promise<Uint8Array | null> {
  if (!address) return null
  const { status, body } = await fetch(address)
  if (status === 200) return body
  throw sendFailure('unreachable', 'ERR_WAPP_DOWNLOAD_MEDIA')
}
