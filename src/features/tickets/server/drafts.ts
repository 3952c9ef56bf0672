import { ticketDraft } from '#features/ledger/draft-fields.ts'
import { findMessages, quotationOf } from '#features/ledger/server/messages/index.ts'
import { findDraft, type StoredDraft, saveDraft } from '#features/ledger/server/notices/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { shownTo } from '#server/masking.ts'
import type { tickets } from '../contract.ts'

type Answer = Returned<typeof tickets.getDraft>

/** Length of the preview in list rows, in characters. */
const PREVIEW = 200
const none: StoredDraft = { body: '', is_note: false, quoted_id: null, mail: null, revision: 0 }

/** Returns the user's draft of a ticket, with the quoted message if that is still visible. */
export async function readDraft(ctx: ReadCtx & { user: Actor }, ticketId: number): Promise<Answer> {
  await requireVisible(ctx, ticketId)
  return answerOf(ctx, (await findDraft(ctx.db, ctx.user.id, ticketId)) ?? none)
}

/**
 * Saves the user's draft and updates their other devices. If the stored one is not at `revision`: 409 ERR_DRAFT_CHANGED with
 * the stored one.
 */
export async function writeDraft(
  ctx: Ctx & { user: Actor },
  ticketId: number,
  given: Input<typeof tickets.draft>['body'],
): Promise<Answer> {
  await requireVisible(ctx, ticketId)
  const quotedId = given.quotedMsgId ?? null
  const [quoted] = quotedId ? await findMessages(ctx.db, [quotedId]) : []
  if (quotedId && quoted?.ticket_id !== ticketId) fail('ERR_FETCH_WAPP_MSG')
  const body = given.body.trim() === '' ? '' : given.body
  const mail = given.mail ?? null
  const base = given.revision ?? null
  const draft = { userId: ctx.user.id, ticketId, body, isNote: given.isNote, quotedId, mail, base }
  const revision = await saveDraft(ctx.db, { ...draft, now: ctx.now })
  if (revision === undefined) {
    const there = await answerOf(ctx, (await findDraft(ctx.db, ctx.user.id, ticketId)) ?? none)
    return fail('ERR_DRAFT_CHANGED', { draft: shownTo(ctx.user, ticketDraft, there) })
  }
  const event = { id: ticketId, revision, draft: body.slice(0, PREVIEW) || null }
  ctx.emit(ticketEvents.draft, event, { kind: 'users', ids: [ctx.user.id] })
  return answerOf(ctx, { body, is_note: given.isNote, quoted_id: quotedId, mail, revision })
}

async function answerOf(
  ctx: Pick<ReadCtx, 'db'>,
  { body, is_note, quoted_id, mail, revision }: StoredDraft,
): Promise<Answer> {
  const [quoted] = quoted_id ? await findMessages(ctx.db, [quoted_id]) : []
  return { body, isNote: is_note, quotedMsg: quoted ? quotationOf(quoted) : null, mail, revision }
}
