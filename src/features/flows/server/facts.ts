import { offsetMinutes } from '#domain/calendar/local-time.ts'
import type { Candidate } from '#domain/distribution/distribute.ts'
import type { Flow } from '#domain/flow/flow.ts'
import type { FlowFacts } from '#domain/flow/session.ts'
import { templateValues } from '#domain/messages/template.ts'
import {
  candidatesOf,
  findSubjects,
  type LedgerTicket,
  lockDistribution,
} from '#features/conversations/server/index.ts'
import { absenceAt, isOpenNow } from '#features/hours/server/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { companyHours } from '#server/company-hours.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'

const HOUR_MS = 3_600_000

/** What is known of a ticket's conversation now. */
export async function factsOf(
  ctx: Ctx,
  ticket: LedgerTicket,
  { flow, isFirstTicket }: { readonly flow: Flow; readonly isFirstTicket: boolean },
): Promise<FlowFacts> {
  const now = ctx.now.getTime()
  const { own = {}, ...subject } = (await findSubjects(ctx.db, [ticket.id])).get(ticket.id) ?? {}
  const { buttons, windowHours } = capabilitiesOf(ticket.channel)
  const lastWord = ticket.last_message_received_at?.getTime() ?? 0
  const absence = await absenceAt(ctx)?.({ userId: null, queueId: null })
  return {
    values: templateValues({ ...subject, now, offsetMinutes: offsetMinutes(ctx.settings.timezone, now) }),
    own,
    isOpen: isOpenNow(ctx.settings, companyHours(ctx.settings).week, ctx.now),
    absence: absence ?? '',
    channel: {
      type: ticket.channel,
      buttons,
      isWritable: windowHours === null || now < lastWord + windowHours * HOUR_MS,
    },
    tagIds: ticket.tag_ids,
    isFirstTicket,
    people: await lockedPeople(ctx, flow),
  }
}

/** Whom the flow itself may give tickets to; asked only where it does. */
export const peopleFor = async (ctx: ReadCtx, { configurations }: Flow): Promise<Candidate[]> =>
  configurations.distribution === 'N' ? [] : candidatesOf(ctx)

// Until the end of the transaction nobody else gives them anything: what is counted stays true.
async function lockedPeople(ctx: Ctx, flow: Flow): Promise<Candidate[]> {
  if (flow.configurations.distribution !== 'N') await lockDistribution(ctx.db)
  return peopleFor(ctx, flow)
}
