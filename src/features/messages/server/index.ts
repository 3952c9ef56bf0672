import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { askJob } from './ask-rating.ts'
import { closeQuiet } from './auto-close.ts'
import { recoverIngest, resumeIngest, stopIngest } from './ingest.ts'
import { recoverSends, sendJob } from './outbox.ts'
import { readJob, showPresence } from './presence.ts'
import { messageRoutes } from './routes.ts'

export { closeQuiet } from './auto-close.ts'
export { type Delay, EVERYBODY, listDelays, onDelays } from './delays.ts'
export { ingestIdle, wakeIngest } from './ingest.ts'
export { receive } from './journal.ts'
export { hearPresence } from './presence.ts'
export { enqueueSending } from './send.ts'

const RECOVER_EVERY_MS = 5000
const CLOSE_EVERY_MS = 60_000
const RECOVER_SENDS_EVERY_MS = 300_000
/** Longer than the longest wait between two attempts. */
const SEND_UNTOUCHED_MS = 600_000

/** The ledger: journal, ingest, outbox, trail, changes; and the operations on messages. */
export const messagesFeature: Feature = {
  name: 'messages',
  routes: messageRoutes,
  jobs: [sendJob, readJob, askJob],
  attach(platform, { io }) {
    // Who is looking at which ticket: told by the browser, kept nowhere.
    io.on('connection', (socket) => {
      const { tenantId, userId } = socket.data as { tenantId: number; userId: number }
      let viewing: number | null = null
      const tell = async (ticketId: number, state: 'viewing' | 'left') => {
        const actor = await platform.actors.get(`${tenantId}:${userId}`)
        if (actor) await showPresence(platform, actor, ticketId, state)
      }
      socket.on(`${tenantId}:joinChatBox`, (ticketId: unknown) => {
        const next = typeof ticketId === 'number' ? ticketId : null
        const left = viewing
        viewing = next
        if (left !== null && left !== next) tell(left, 'left').catch(() => {})
        if (next !== null) tell(next, 'viewing').catch(() => {})
      })
      socket.on('disconnect', () => {
        if (viewing !== null) tell(viewing, 'left').catch(() => {})
      })
    })
  },
  async start(platform) {
    const carefully = (work: () => Promise<void>) => () =>
      work().catch((err) => platform.log.warn({ err }, 'recovery failed'))
    const recover = carefully(() => recoverIngest(platform))
    await recover()
    const resume = carefully(() => resumeIngest(platform))
    platform.bus.onMissed((state) => state === 'recovered' && void resume())
    await carefully(() => recoverSends(platform, 0))()
    const timers = [
      setInterval(recover, RECOVER_EVERY_MS),
      ...(plays(platform.env, 'worker')
        ? [
            setInterval(
              carefully(() => closeQuiet(platform)),
              CLOSE_EVERY_MS,
            ),
          ]
        : []),
      setInterval(
        carefully(() => recoverSends(platform, SEND_UNTOUCHED_MS)),
        RECOVER_SENDS_EVERY_MS,
      ),
    ]
    return async () => {
      for (const timer of timers) clearInterval(timer)
      await stopIngest(platform)
    }
  },
}
