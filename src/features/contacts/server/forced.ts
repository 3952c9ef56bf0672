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

/** So many tickets go in one transaction. */
const BLOCK = 100

/** What goes with a contact that is deleted whatever there is. */
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
 * Deletes a person with all contacts that are part of them and everything that was said: their tickets block by block, so
 * that nobody waits for many, then the contacts. Done again it goes on where it stopped.
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
      // Whoever is part of the person goes with it.
      await deleteContact(ctx.db, person)
      ctx.emit(contactEvents.delete, { id: person }, { kind: 'permission', permission: 'contacts:read' })
      return false
    })
  while (await next());
  return { message: 'ok' }
}
