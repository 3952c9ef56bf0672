import { offsetMinutes } from '#domain/calendar/local-time.ts'
import type { Candidate } from '#domain/flow/distribute.ts'
import type { Flow } from '#domain/flow/flow.ts'
import type { FlowFacts } from '#domain/flow/session.ts'
import { templateValues } from '#domain/messages/template.ts'
import { findSubjects, type LedgerTicket } from '#features/conversations/server/index.ts'
import { absenceAt, isOpenNow } from '#features/hours/server/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { companyHours } from '#server/company-hours.ts'
import { actorWithin, type Ctx, type ReadCtx } from '#server/context.ts'
import { findPeople } from './queries-sessions.ts'

const HOUR_MS = 3_600_000
/** So many tickets somebody has at most whom a flow gives one. */
const CAPACITY = 10

/** What is known of a ticket's conversation now. */
export async function factsOf(
  ctx: Ctx,
  ticket: LedgerTicket,
  { flow, isFirstTicket }: { readonly flow: Flow; readonly isFirstTicket: boolean },
): Promise<FlowFacts> {
  const now = ctx.now.getTime()
  const subject = (await findSubjects(ctx.db, [ticket.id])).get(ticket.id)
  const { buttons, windowHours } = capabilitiesOf(ticket.channel)
  const lastWord = ticket.last_message_received_at?.getTime() ?? 0
  const absence = await absenceAt(ctx)?.({ userId: null, queueId: null })
  return {
    values: templateValues({ ...subject, now, offsetMinutes: offsetMinutes(ctx.settings.timezone, now) }),
    isOpen: isOpenNow(ctx.settings, companyHours(ctx.settings).week, ctx.now),
    absence: absence ?? '',
    channel: {
      type: ticket.channel,
      buttons,
      isWritable: windowHours === null || now < lastWord + windowHours * HOUR_MS,
    },
    tagIds: ticket.tag_ids,
    isFirstTicket,
    people: await peopleFor(ctx, flow),
  }
}

/** Whom the flow itself may give tickets to; asked only where it does. */
export async function peopleFor(ctx: ReadCtx, { nodes, configurations }: Flow): Promise<Candidate[]> {
  const { distribution, silence, tries, firstInteraction, outOpenHours } = configurations
  if (distribution === 'N') return []
  const ways = [...nodes.values()].flatMap(({ conditions }) => conditions.map(({ action }) => action))
  const all = [...ways, silence?.direction, tries.direction, firstInteraction, outOpenHours]
  const queueIds = all.flatMap((way) => (way?.to === 'queue' && way.queueId !== null ? [way.queueId] : []))
  const people = await findPeople(ctx.db, [...new Set(queueIds)])
  return Promise.all(
    people.map(async ({ lastGivenAt, profile, ...person }) => {
      const hours = (await actorWithin(ctx, person.id))?.businessHours ?? []
      return {
        ...person,
        isFree: isOpenNow(ctx.settings, hours, ctx.now),
        capacity: profile === 'user' ? CAPACITY : 0,
        lastGivenAt: lastGivenAt?.getTime() ?? null,
      }
    }),
  )
}
