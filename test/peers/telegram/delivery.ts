import { setTimeout } from 'node:timers/promises'

/** Update that waits for delivery. */
export type Update = { readonly update_id: number } & Readonly<Record<string, unknown>>
/** A refusal as the Bot API words it. */
export type Refused = { readonly error_code: number; readonly description: string; readonly parameters?: object }

const CONFLICT = 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running'
const HOOKED =
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
const RETRY_MS = 50

/** Delivers a bot's updates by polling or webhook. `answer` runs the method that a webhook response contains. */
export function deliveryOf({ resolve, answer }: { resolve(url: string): string; answer(method: object): void }) {
  const pending: Update[] = []
  const webhook = { url: '', secret: '', allowed: [] as readonly string[] }
  let last = 700_000
  let waiting: ((how: 'told' | 'conflict') => void) | null = null
  let isTelling = false
  /** Last confirmed updates; with `repeats` they come again with the next ones. */
  let released: Update[] = []
  let repeats = false
  let isClosed = false

  async function tellAll() {
    if (isTelling) return
    isTelling = true
    while (pending.length > 0 && webhook.url && !isClosed) {
      const [update] = pending
      const { url, secret } = webhook
      const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret }
      const reply = await fetch(resolve(url), { method: 'POST', headers, body: JSON.stringify(update) }).catch(
        () => null,
      )
      if (reply?.ok) {
        pending.splice(pending.indexOf(update!), 1)
        const text = await reply.text()
        if (reply.headers.get('content-type')?.includes('json')) answer(JSON.parse(text) as object)
      } else await setTimeout(RETRY_MS)
    }
    isTelling = false
  }

  return {
    pending,
    webhook,
    /** Delivers an update after those that are pending. */
    push(about: object): Update {
      const update = { update_id: ++last, ...about } as Update
      const kind = Object.keys(about)[0]!
      if (webhook.allowed.length > 0 && !webhook.allowed.includes(kind)) return update
      pending.push(update)
      waiting?.('told')
      void tellAll()
      return update
    },
    /** Delivers the last confirmed updates again with the next response. */
    repeat() {
      repeats = true
    },
    /** Drops all updates, as for another bot. */
    reset() {
      pending.length = 0
      released = []
    },
    /** Delivers an earlier update again. */
    again(update: Update) {
      pending.push(update)
      waiting?.('told')
      void tellAll()
    },
    setWebhook(about: { url: string; secret_token?: string; allowed_updates?: readonly string[] }): Refused | true {
      const { protocol, port } = new URL(about.url)
      if (protocol !== 'https:')
        return { error_code: 400, description: 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook' }
      if (!['', '80', '88', '443', '8443'].includes(port))
        return {
          error_code: 400,
          description: 'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443',
        }
      Object.assign(webhook, { url: about.url, secret: about.secret_token ?? '', allowed: about.allowed_updates ?? [] })
      waiting?.('conflict')
      void tellAll()
      return true
    },
    deleteWebhook(): true {
      webhook.url = ''
      return true
    },
    async getUpdates(
      {
        offset = 0,
        limit = 100,
        timeout = 0,
        allowed_updates = [],
      }: { offset?: number; limit?: number; timeout?: number; allowed_updates?: readonly string[] },
      gone: AbortSignal,
    ): Promise<Refused | readonly Update[]> {
      if (webhook.url) return { error_code: 409, description: HOOKED }
      // An earlier waiting request ends with a conflict.
      waiting?.('conflict')
      webhook.allowed = allowed_updates
      const letGo = pending.filter(({ update_id }) => update_id < offset)
      pending.splice(0, pending.length, ...pending.filter(({ update_id }) => update_id >= offset))
      if (letGo.length > 0) released = letGo.slice(-5)
      if (repeats) {
        repeats = false
        return [...released, ...pending].slice(0, limit)
      }
      if (pending.length === 0 && timeout > 0) {
        const next = Promise.withResolvers<'told' | 'conflict' | 'nothing'>()
        waiting = next.resolve
        gone.addEventListener('abort', () => next.resolve('nothing'))
        const timer = globalThis.setTimeout(next.resolve, timeout * 1000, 'nothing')
        const how = await next.promise
        clearTimeout(timer)
        // Unless another request waits by now.
        if (waiting === next.resolve) waiting = null
        if (how === 'conflict') return { error_code: 409, description: webhook.url ? HOOKED : CONFLICT }
      }
      return pending.slice(0, limit)
    },
    close() {
      isClosed = true
      waiting?.('conflict')
    },
  }
}
