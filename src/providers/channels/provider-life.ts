import { type ChannelAdapter, type Link, needsPerson } from './port.ts'
import { makeRest } from './rest.ts'

/** Intervals of polling the account's state and the provider's webhook, in ms. */
const LOOK_MS = 60_000
const WEBHOOK_MS = 600_000

/** Provider that calls us and to which no connection is kept open. */
export type CalledProvider = {
  /** Returns the reason why the settings do not suffice for a call; null if they do. */
  whyNot(): string | null
  /** Checks, without side effects, whether the provider still accepts the settings. */
  check(): Promise<unknown>
  /** Registers our webhook at the provider unless it is registered. */
  ensureWebhook(): Promise<void>
  /** Resumes what the connection left unfinished. */
  begin?(link: Link): Promise<void>
  /** Polls the provider once; called each minute. */
  look(link: Link): Promise<void>
  /** Whether an error says that the key was refused. */
  isKeyRefused(error: unknown): boolean
}

/** Life cycle of a connection to a provider that calls us: open while the provider accepts the settings. */
export function providerLife(provider: CalledProvider): Required<Pick<ChannelAdapter, 'open' | 'close' | 'look'>> {
  const rest = makeRest()
  async function live(link: Link): Promise<void> {
    const problem = provider.whyNot()
    if (problem) throw needsPerson(problem)
    await provider.begin?.(link)
    await provider.check()
    await provider.ensureWebhook()
    if (rest.isOver()) return
    await link.status('CONNECTED')
    await link.caughtUp(null)
    let ensuredAt = performance.now()
    while (!rest.isOver()) {
      await provider.look(link)
      await rest.pause(LOOK_MS)
      if (performance.now() - ensuredAt < WEBHOOK_MS) continue
      await provider.ensureWebhook()
      ensuredAt = performance.now()
    }
  }
  return {
    open: (link) =>
      live(link).catch((error: unknown) => {
        throw provider.isKeyRefused(error) ? needsPerson('the provider refused the key', 'token') : error
      }),
    async close() {
      rest.end()
    },
    look: rest.wake,
  }
}
