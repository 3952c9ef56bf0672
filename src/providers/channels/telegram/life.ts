import { setTimeout } from 'node:timers/promises'
import { present } from '#domain/present.ts'
import { readOutside } from '#kit/outside.ts'
import { type ChannelAdapter, type ChannelTools, type Link, needsPerson, sendFailure } from '../port.ts'
import { failureOf, isTokenRefused, problemOf, refusalIn, type Telegram } from './api.ts'
import { READ, type ReadUpdate, readUpdate } from './inbound.ts'
import { answers, updateNumber } from './schemas.ts'

/** Interval of checking the webhook, and with it the token, in ms. */
const LOOK_MS = 60_000
/** Duration of a long poll, in seconds. */
const POLL_SECONDS = 25
const MOST_UPDATES = 100
/** Number of consecutive conflicts after which the token counts as used by another program. */
const MOST_CONFLICTS = 3
const CONFLICT_MS = 3000
/** Time for which Telegram stores undelivered updates, in ms. */
const BACKLOG_MS = 24 * 3_600_000

const NOT_CALLED =
  'Sem um endereço https desta instalação (PUBLIC_URL), o Guichê busca as mensagens no Telegram: não há webhook a revalidar.'

/** Whether Telegram can call a URL: https, on one of four ports. */
export function isCallable(url: string | null | undefined): url is string {
  const { protocol, port } = (url && URL.parse(url)) || {}
  return protocol === 'https:' && ['', '80', '88', '443', '8443'].includes(port ?? '')
}

const numberOf = (update: unknown): number | undefined => readOutside(updateNumber, update)?.data.update_id

/**
 * Life cycle of a bot's connection. With a callable URL the webhook is registered and checked each minute; without one
 * updates are polled, and acknowledged (`offset`) only once they are in the journal.
 */
export function telegramLife(
  telegram: Telegram,
  botId: string,
  { door, now, log }: Pick<ChannelTools, 'door' | 'now' | 'log'>,
): Pick<Required<ChannelAdapter>, 'open' | 'close' | 'look' | 'setWebhook' | 'test'> {
  const ended = new AbortController()
  const { signal } = ended
  let woken = new AbortController()
  const pause = (ms: number) =>
    setTimeout(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {
      woken = new AbortController()
    })
  const call = (method: string, payload: object | null) => telegram.call(method, payload, signal)
  const isCalledAt = async () => readOutside(answers.webhook, await call('getWebhookInfo', null))?.data.url

  const whoAmI = async () => {
    const { username, first_name: name = '' } = readOutside(answers.me, await call('getMe', null))?.data ?? {}
    return username ? `@${username}` : name
  }

  async function register(url: string) {
    // One call at a time, to keep the order of each person's messages.
    const how = { allowed_updates: [...READ], max_connections: 1, secret_token: present(door).secret }
    await call('setWebhook', { url, ...how })
  }

  /** Registers the webhook; false, with a log entry, if Telegram cannot call the URL. */
  async function registers(url: string): Promise<boolean> {
    try {
      await register(url)
      return true
    } catch (err) {
      if (refusalIn(err)?.error_code !== 400) throw err
      log.warn({ err }, 'Telegram does not call this address, and is asked for updates instead')
      return false
    }
  }

  async function watch(url: string) {
    while (!signal.aborted) {
      await pause(LOOK_MS)
      if (signal.aborted) return
      if ((await isCalledAt()) !== url) await register(url)
    }
  }

  /** Returns the next updates; null on a conflict with another program that polls. */
  async function next(offset: number, timeout: number): Promise<unknown[] | null> {
    const about = { offset, timeout, limit: MOST_UPDATES, allowed_updates: [...READ] }
    const updates = await call('getUpdates', about).catch((error: unknown) => {
      if (refusalIn(error)?.error_code === 409) return null
      throw error
    })
    return updates === null ? null : (readOutside(answers.updates, updates)?.data ?? [])
  }

  async function poll(link: Link, onCaughtUp: () => Promise<void>) {
    // Position from which Telegram returns updates, confirming earlier ones; 0: from the first unconfirmed one.
    let offset = 0
    let conflicts = 0
    let isCaughtUp = false
    while (!signal.aborted) {
      const updates = await next(offset, isCaughtUp ? POLL_SECONDS : 0)
      if (!updates) {
        if ((await isCalledAt()) === door?.url) throw new Error('it is called from now on')
        if (++conflicts >= MOST_CONFLICTS) throw needsPerson('another program uses the token', 'replaced')
        await pause(CONFLICT_MS)
        continue
      }
      conflicts = 0
      const read = updates.map((update) => safely(update))
      if (updates.length > 0) await link.emit(read.flatMap(({ events }) => events))
      // Update ids restart after a week without any, perhaps lower, so an old position must not be used.
      offset = updates.length > 0 ? (numberOf(updates.at(-1)) ?? 0) + 1 : 0
      for (const { press } of read)
        if (press)
          call('answerCallbackQuery', { callback_query_id: press }).catch((err: unknown) =>
            log.warn({ err }, 'a press was not answered'),
          )
      if (isCaughtUp || updates.length === MOST_UPDATES) continue
      isCaughtUp = true
      await onCaughtUp()
    }
  }

  // An unreadable update does not block the others.
  function safely(update: unknown): ReadUpdate {
    const updateId = numberOf(update)
    try {
      const read = readUpdate(update, botId, now())
      if (read.unread.length > 0) log.warn({ updateId, unread: read.unread }, 'an update was not read whole')
      return read
    } catch (err) {
      log.warn({ err, updateId }, 'an update could not be read')
      return { events: [], press: null, unread: [] }
    }
  }

  async function live(link: Link) {
    const number = await whoAmI()
    const away = await link.awaySince()
    const url = door?.url
    const isCalled = isCallable(url) && (await registers(url))
    if (!isCalled) await call('deleteWebhook', {})
    await link.status('CONNECTED', { number })
    // Updates of the meantime are delivered anyway; their number is known for polling only.
    if (isCalled) {
      await link.caughtUp(null)
      return watch(url)
    }
    const isAllThere = away === null || now().getTime() - away < BACKLOG_MS
    return poll(link, () => link.caughtUp(isAllThere ? 0 : null))
  }

  return {
    open: (link) =>
      live(link).catch((error: unknown) => {
        if (signal.aborted) return
        throw isTokenRefused(error) ? needsPerson('Telegram refused the token', 'token') : error
      }),
    async close() {
      ended.abort()
    },
    look: () => woken.abort(),
    async setWebhook() {
      const url = door?.url
      if (!isCallable(url)) throw sendFailure('refused', NOT_CALLED)
      await register(url).catch((error: unknown) => {
        const { description = '' } = refusalIn(error) ?? {}
        if (refusalIn(error)?.error_code !== 400) throw sendFailure('refused', problemOf(error, telegram))
        throw sendFailure(
          'refused',
          `O Telegram não chama ${present(URL.parse(url)).host}: as mensagens são buscadas.`,
          {
            providerText: description.slice(0, 300),
          },
        )
      })
    },
    test: () =>
      whoAmI().then(
        (number) => ({ ok: true, number }) as const,
        (error: unknown) => ({ ok: false, problem: problemOf(error, telegram) }) as const,
      ),
  }
}

/** Rethrows an error as a `SendFailure`. */
export const failing = (error: unknown): never => {
  throw failureOf(error)
}
