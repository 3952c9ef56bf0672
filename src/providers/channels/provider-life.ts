import { type ChannelAdapter, type Link, needsPerson } from './port.ts'
import { makeRest } from './rest.ts'

/** So often it is asked how the account stands, and where its provider calls. */
const LOOK_MS = 60_000
const WEBHOOK_MS = 600_000

/** What is asked of a provider with which nothing is open, and that calls us. */
export type CalledProvider = {
  /** Why nothing can be asked of it with what is filled in; null where something can. */
  whyNot(): string | null
  /** Asks, changing nothing, whether it still takes what was filled in. */
  check(): Promise<unknown>
  /** Has it call us, unless it does. */
  ensureWebhook(): Promise<void>
  /** Takes up what the connection had left. */
  begin?(link: Link): Promise<void>
  /** Looks at the provider once; each minute. */
  look(link: Link): Promise<void>
  /** Whether what it failed with says that the key is worth nothing. */
  isKeyRefused(error: unknown): boolean
}

/** The life of a connection to it: open while the provider takes what was filled in. */
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
