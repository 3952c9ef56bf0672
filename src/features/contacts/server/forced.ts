import { contactEvents } from '#features/ledger/contact-events.ts'
import { surveyTicketsOf } from '#features/ledger/server/removal/index.ts'
import { removeTicketsOf } from '#features/tickets/server/sets/index.ts'
import type { Returned } from '#kit/contract.ts'
import { required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { type ReadCtx, unit } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { contacts } from '../contract.ts'
import { visiblePerson } from './merges/operations.ts'
import { surveyMerge } from './merges/queries.ts'
import { deleteContact, loadContacts, partsOf } from './queries.ts'

/** Number of tickets deleted per transaction. */
const BLOCK = 100

/** Returns what a forced deletion of a contact would remove. */
export async function previewForced(
  ctx: ReadCtx & { user: Actor },
  id: number,
): Promise<Returned<typeof contacts.previewForced>> {
  const person = await visiblePerson(ctx, id)
  const [row] = await loadContacts(ctx.db, [person])
  const { identities } = await surveyMerge(ctx.db, person)
  return {
    name: required(row, 'ERR_NO_CONTACT_FOUND').name,
    ...(await surveyTicketsOf(ctx.db, await partsOf(ctx.db, person))),
    identities,
  }
}

/**
 * Deletes a person with all merged contacts, tickets and messages: tickets in blocks, to keep transactions short, then the
 * contacts. Resumes where it stopped.
 */
export async function removeForced(
  { platform, tenantId, user, audit }: SlowCtx,
  id: number,
): Promise<Returned<typeof contacts.removeForced>> {
  const base = { tenantId, user, audit }
  const next = () =>
    unit(platform, base, async (inner) => {
      const ctx = { ...inner, user }
      const person = await visiblePerson(ctx, id)
      const parts = await partsOf(ctx.db, person)
      if ((await removeTicketsOf(ctx, parts, BLOCK)) === BLOCK) return true
      const [row] = await loadContacts(ctx.db, [person])
      ctx.audit({ before: { id: person, name: row?.name ?? '' } })
      // Deletes the merged contacts too.
      await deleteContact(ctx.db, person)
      ctx.emit(contactEvents.delete, { id: person }, { kind: 'permission', permission: 'contacts:read' })
      return false
    })
  while (await next());
  return { message: 'ok' }
}
