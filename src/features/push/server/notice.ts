import { z } from 'zod'
import { localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { isQuiet, usualQuiet } from '#domain/calendar/quiet.ts'
import { visibleSql } from '#features/visibility/server/index.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { newsOf } from './news.ts'
import {
  findNotice,
  findSender,
  findSubject,
  markReached,
  markShown,
  type Notice,
  removeNotice,
  removeSubscription,
} from './queries.ts'
import { type Pushed, pushTo } from './send.ts'
import { isViewing } from './viewing.ts'

/**
 * Job that synchronizes a device's notification of a ticket with the user's unread news: shows, replaces or removes it.
 * Sends nothing to a user who views the conversation or has quiet hours, or for an ended session.
 */
export const noticeJob = job({
  name: 'push:notice',
  schema: z.object({ sessionId: z.uuid(), ticketId: z.number() }),
  async run(platform, { tenantId, ...key }, { requireOwnership }) {
    const { sessionId, ticketId } = key
    const { db, actors, settings } = platform
    const notice = await db.read(tenantId, (tenant) => findNotice(tenant, key, platform.now()))
    const actor = notice && (await actors.get(`${tenantId}:${notice.userId}`))
    if (!notice || !actor) return
    const visible = visibleSql(actor, await settings.get(String(tenantId)))
    const [subject, sender] = await db.read(tenantId, async (tenant) => [
      await findSubject(tenant, { ticketId, userId: actor.id, visible }),
      await findSender(tenant),
    ])
    const news = subject ? newsOf(subject, actor) : null
    const isShown = notice.sentSeq !== null
    const isSilent = isQuietAt(notice, platform) || isViewing(platform, tenantId, actor.id, ticketId)
    const pushed = news
      ? isSilent || notice.sentSeq === notice.seq
        ? null
        : ({ kind: 'notice', tag: tagOf(ticketId), seq: notice.seq, ...news } satisfies Pushed)
      : isShown
        ? ({ kind: 'read', tag: tagOf(ticketId) } satisfies Pushed)
        : null
    if (pushed && sender) {
      requireOwnership()
      const to = { tenantId, sessionId, subscription: notice.subscription, sender }
      if ((await pushTo(platform, to, pushed)) === 'gone')
        return void (await db.write(tenantId, (tx) => removeSubscription(tx, sessionId)))
    }
    await db.write(tenantId, async (tx) => {
      if (pushed) await markReached(tx, sessionId, platform.now())
      if (news && (isShown || pushed)) await markShown(tx, key, notice.seq)
      else await removeNotice(tx, key, notice.seq)
    })
  },
})

const tagOf = (ticketId: number) => `/atendimento/${ticketId}`

/** Whether it is within the user's quiet hours now, in the device's time zone. */
export function isQuietAt({ quiet, timeZone }: Pick<Notice, 'quiet' | 'timeZone'>, platform: Platform): boolean {
  const now = platform.now().getTime()
  return isQuiet({ ...usualQuiet, ...quiet }, localTime(now, offsetMinutes(timeZone, now)))
}
