import { keysIn } from '#domain/keys.ts'
import { withoutAccents } from '#domain/messages/sms.ts'
import { isBrazilianPhone } from '#domain/phone/brazil.ts'
import { textValues } from '#kit/provider.ts'
import { failureOf, type Gateway, GatewayRefusal, gatewayCalls, isKeyRefused, tried } from '../gateway-calls.ts'
import { type Link, type MakeChannelAdapter, type ProviderEvent, sendFailure } from '../port.ts'
import { providerLife } from '../provider-life.ts'
import { comtele } from './comtele.ts'
import { SMS_PROVIDERS, type SmsProviderId } from './config.ts'
import { smsFaults } from './faults.ts'
import { http } from './http.ts'
import { infobip } from './infobip.ts'
import {
  digitsOf,
  eventOf,
  isForOther,
  type MakeSmsProvider,
  REFUSALS,
  type SmsNews,
  type SmsWaiting,
} from './provider.ts'
import { smsdev } from './smsdev.ts'
import { twilio } from './twilio.ts'
import { zenvia } from './zenvia.ts'

const PROVIDERS: Readonly<Record<SmsProviderId, MakeSmsProvider>> = { comtele, smsdev, zenvia, twilio, infobip, http }
const NAMES: Readonly<Record<SmsProviderId, string>> = {
  ...{ comtele: 'a Comtele', smsdev: 'a SMSDev', zenvia: 'a Zenvia', twilio: 'a Twilio', infobip: 'a Infobip' },
  http: 'o provedor de SMS',
}

/** Limits of polling reports: age of a message in ms, number of waiting messages, number per poll. */
const WAITING_MS = 2 * 86_400_000
const MOST_WAITING = 5000
const MOST_ASKED = 300
/** Maximum number of events per emit. */
const MOST_AT_ONCE = 500
/** State entry with sent messages that wait for a report. */
const WAITING = 'waiting'

const NOT_SET = 'Preencha antes o provedor em Configurações > SMS: endereço e chave.'
const NO_ADDRESS = 'A instalação não sabe o próprio endereço: defina PUBLIC_URL, que o provedor precisa chamar.'

/** Whether SMS reach a number: in Brazil mobile numbers only (no area code 90), elsewhere unknown and assumed. */
const isMobile = (digits: string): boolean =>
  digits.startsWith('55') ? isBrazilianPhone(digits) && /^55\d\d9[1-9]/.test(digits) : /^\d{8,15}$/.test(digits)

/** Creates the adapter of an SMS line at the provider in the company's settings. */
export const smsAdapter: MakeChannelAdapter = (values, tools) => {
  const settings = textValues(tools.settings)
  const id = keysIn(NAMES).find((name) => name === settings['provider']) ?? 'comtele'
  const gateway: Gateway = { name: NAMES[id], url: settings['url'] ?? '', headers: {} }
  // For other providers the URL has a path, filled in for each message.
  const base = id === 'http' && URL.canParse(gateway.url) ? new URL(gateway.url).origin : gateway.url
  const provider = PROVIDERS[id](settings, gatewayCalls(tools, { ...gateway, url: base }))
  const door = tools.door?.url ?? null
  let waiting: readonly SmsWaiting[] = []
  const from = String(values['from'] ?? '')
  const isOfSomebody = (one: SmsNews) => (one.is === 'said' ? /^\d{1,40}$/.test(digitsOf(one.from)) : one.id !== '')
  const events = (news: readonly SmsNews[]): { event: ProviderEvent }[] =>
    news
      .filter(isOfSomebody)
      .filter((one) => !isForOther(one, from))
      .map((one) => ({ event: eventOf(one, tools.now()) }))

  const isSet = Boolean(settings['url'] && settings['key'])
  const failing = (error: unknown): never => {
    throw (error instanceof GatewayRefusal && provider.refusal?.(error)) || failureOf(error, gateway)
  }

  async function ensureWebhook(): Promise<void> {
    if (provider.callsUs && provider.register && door && !(await provider.callsUs(door))) await provider.register(door)
  }

  // A failed poll does not affect sending; it is repeated at the next interval.
  const asking = async (question: Promise<readonly SmsNews[]> | undefined): Promise<readonly SmsNews[]> =>
    (await question?.catch((error: unknown) => {
      if (isKeyRefused(error)) throw error
      tools.log.warn({ err: error }, 'a provider of text messages did not tell its news')
    })) ?? []

  /** Polls for news, and stores the messages still without a report. */
  async function look(link: Link): Promise<void> {
    await provider.check()
    if (!provider.replies && !provider.reports) return
    const now = tools.now()
    const asked = waiting.filter(({ at }) => now.getTime() - at < WAITING_MS).slice(0, MOST_ASKED)
    const replies = await asking(provider.replies?.(now))
    const reports = asked.length > 0 ? await asking(provider.reports?.(asked, now)) : []
    const news = [...replies, ...reports]
    const ended = new Set(news.flatMap((one) => (one.is === 'delivered' || one.is === 'failed' ? [one.id] : [])))
    const sent = waiting.filter((one) => !asked.includes(one) && now.getTime() - one.at < WAITING_MS)
    // Queried messages go behind those not queried yet.
    waiting = [...sent, ...asked.filter((one) => !ended.has(one.id))].slice(-MOST_WAITING)
    const all = events(news).map(({ event }) => event)
    // All replies of a busy day are listed at each poll.
    for (let n = 0; n < all.length; n += MOST_AT_ONCE) await link.emit(all.slice(n, n + MOST_AT_ONCE))
    await link.emit([], new Map([[WAITING, waiting]]))
  }

  return {
    ...providerLife({
      whyNot: () => (isSet ? (door ? null : NO_ADDRESS) : NOT_SET),
      async begin(link) {
        const saved = (await link.state.get([WAITING])).get(WAITING) as readonly SmsWaiting[] | undefined
        waiting = saved ?? []
      },
      ...{ check: provider.check, ensureWebhook, look, isKeyRefused },
    }),
    faults: smsFaults(gateway),
    async setWebhook() {
      if (!door) throw sendFailure('refused', NO_ADDRESS)
      if (!provider.register)
        throw sendFailure('refused', `No painel de ${SMS_PROVIDERS[id]}, cadastre o endereço mostrado na conexão.`)
      await provider.register(door).catch(failing)
    },
    async send({ conversationKey, body, messageId }) {
      const to = digitsOf(conversationKey)
      if (!isMobile(to)) throw sendFailure('refused', REFUSALS.landline)
      const text = values['isPlain'] ? withoutAccents(body) : body
      const name = await provider.send({ to, text, id: messageId, from }, door).catch(failing)
      if (provider.reports) waiting = [...waiting, { id: name, to, at: tools.now().getTime() }].slice(-MOST_WAITING)
      return { providerId: name }
    },
    receive(request) {
      const news = provider.read(request, door)
      if (news === null) return { isGenuine: false }
      // News without an identifiable sender belongs to no conversation.
      const [known, nobodys] = [news.filter(isOfSomebody), news.filter((one) => !isOfSomebody(one))]
      return { isGenuine: true, events: events(known), unread: nobodys.map(({ is }) => is) }
    },
    async test() {
      if (!isSet) return { ok: false, problem: NOT_SET }
      return door ? tried(gateway, () => provider.check()) : { ok: false, problem: NO_ADDRESS }
    },
    async testSettings() {
      if (!isSet) return { ok: false, problem: 'Preencha endereço e chave.' }
      if (id === 'twilio' && !settings['account']) return { ok: false, problem: 'Preencha o Account SID.' }
      if (!provider.reach) return tried(gateway, provider.check)
      const { reach } = provider
      return {
        ...(await tried(gateway, reach)),
        note: 'O endereço responde. Se a chave e os campos servem, só um envio diz.',
      }
    },
  }
}
