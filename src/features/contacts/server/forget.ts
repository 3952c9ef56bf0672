import { contactEvents } from '#features/ledger/contact-events.ts'
import { forgetMessages, forgetTrail, messagesToForget } from '#features/ledger/server/forgetting/index.ts'
import { lockIngest } from '#features/ledger/server/persons/index.ts'
import { liveTicketsOf, surveyTicketsOf } from '#features/ledger/server/removal/index.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import type { Tx } from '#server/db/db.ts'
import { removeFiles } from '#server/files/orphans.ts'
import { forgetEverywhere } from '#server/forgetting.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import type { contacts } from '../contract.ts'
import { visiblePerson } from './merges/operations.ts'
import { loadContacts, partsOf } from './queries.ts'
import {
  type Certificate,
  certificatesOf,
  emptyContacts,
  identifiersOf,
  insertCertificate,
  surveyContacts,
  ticketIdsOf,
} from './queries-forget.ts'

/** Number of messages emptied per transaction. */
const BLOCK = 500

type Viewing = Pick<ReadCtx, 'db' | 'platform' | 'settings'> & { user: Actor }
type Counts = Returned<typeof contacts.previewForget>

/** Returns what forgetting a person would erase, and the active tickets that prevent it. */
export async function previewForget(ctx: Viewing, id: number): Promise<Counts> {
  const person = await visiblePerson(ctx, id)
  const [row] = await loadContacts(ctx.db, [person])
  const { name, is_group: isGroup } = required(row, 'ERR_NO_CONTACT_FOUND')
  if (isGroup) fail('ERR_FORGET_GROUP')
  const parts = await partsOf(ctx.db, person)
  return { name, ...(await surveyTicketsOf(ctx.db, parts)), ...(await surveyContacts(ctx.db, parts)) }
}

/**
 * Forgets a person: erases texts and files in blocks, then everything that names the person, in one transaction with the
 * certificate. Tickets, messages and ratings remain as counts. Resumes after a crash. Throws 409 ERR_FORGET_LIVE while a
 * ticket is open or pending.
 */
export async function forgetPerson(
  { platform, tenantId, user, audit }: SlowCtx,
  id: number,
): Promise<Returned<typeof contacts.forget>> {
  const step = <T>(work: (ctx: Ctx & { user: Actor }, person: number, parts: number[]) => Promise<T>): Promise<T> =>
    unit(platform, { tenantId, user, audit }, async (inner) => {
      const ctx = { ...inner, user }
      const person = await visiblePerson(ctx, id)
      return work(ctx, person, await partsOf(ctx.db, person))
    })
  const before = await step((ctx, person) => previewForget(ctx, person))
  if (before.live > 0) fail('ERR_FORGET_LIVE')
  const fileIds: string[] = []
  const identifiers = await step((ctx, _, parts) => identifiersOf(ctx.db, parts))
  // A person who writes meanwhile has a new active ticket, whose messages stay until it ends.
  const nextOf = async (db: Tx, person: number, contactIds: readonly number[], most: number) => {
    const ids = await messagesToForget(db, { contactIds, identifiers }, most)
    // Checked after reading: no message read belongs to a ticket that has just begun.
    return (await liveTicketsOf(db, person, 1)).length > 0 ? fail('ERR_FORGET_LIVE') : ids
  }
  for (;;) {
    const ids = await step((ctx, person, contactIds) => nextOf(ctx.db, person, contactIds, BLOCK))
    if (ids.length > 0) {
      await forgetTrail(platform, tenantId, ids)
      fileIds.push(...(await step((ctx, _, contactIds) => forgetMessages(ctx.db, contactIds, ids))))
      await platform.checkpoint('block of a person forgotten')
      continue
    }
    const certificate = await step(async (ctx, person, contactIds) => {
      await lockIngest(ctx.db, tenantId)
      if ((await nextOf(ctx.db, person, contactIds, 1)).length > 0) return null
      const ticketIds = await ticketIdsOf(ctx.db, contactIds)
      await forgetEverywhere(ctx, { contactIds, ticketIds, identifiers, fileIds })
      fileIds.push(...(await emptyContacts(ctx.db, contactIds, ctx.now)))
      return certify(ctx, person, { before, identifiers })
    })
    if (!certificate) continue
    await removeFiles(platform, tenantId, fileIds)
    return certificate
  }
}

async function certify(
  ctx: Ctx & { user: Actor },
  contactId: number,
  { before, identifiers }: { readonly before: Counts; readonly identifiers: readonly string[] },
): Promise<Returned<typeof contacts.forget>> {
  const { platform, tenantId, user } = ctx
  const { name: _, live: __, ...counts } = before
  const about = {
    contactId,
    counts,
    // Keyed hashes: a number can be verified against them, but not read from them.
    fingerprints: identifiers.map((identifier) => platform.secrets.sign(`${tenantId} ${identifier}`)).sort(),
    userName: user.name,
    createdAt: ctx.now.toISOString(),
  }
  const signature = signatureOf(platform, tenantId, about)
  const certificateId = await insertCertificate(ctx.db, { ...about, userId: user.id, signature, now: ctx.now })
  ctx.audit({ after: { contactId, certificateId, ...counts } })
  ctx.emit(contactEvents.update, { id: contactId }, { kind: 'permission', permission: 'contacts:read' })
  return { id: certificateId, ...about, signature, isGenuine: true }
}

type About = Pick<Returned<typeof contacts.forget>, 'contactId' | 'counts' | 'fingerprints' | 'userName' | 'createdAt'>

const signatureOf = (
  { secrets }: Pick<Platform, 'secrets'>,
  tenantId: number,
  { contactId, counts, fingerprints, userName, createdAt }: About,
): string => {
  const sorted = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))
  return secrets.sign(JSON.stringify(['forgotten', tenantId, contactId, sorted, fingerprints, userName, createdAt]))
}

/** Returns the certificates of a contact; `isGenuine` if the signature matches. */
export async function certificates(
  ctx: Viewing & { readonly tenantId: number },
  id: number,
): Promise<Returned<typeof contacts.certificates>> {
  const serialize = (row: Certificate) => {
    const about = {
      contactId: row.contact_id,
      counts: row.counts as About['counts'],
      fingerprints: row.fingerprints,
      userName: row.user_name,
      createdAt: row.created_at.toISOString(),
    }
    const isGenuine = signatureOf(ctx.platform, ctx.tenantId, about) === row.signature
    return { id: row.id, ...about, signature: row.signature, isGenuine }
  }
  return { certificates: (await certificatesOf(ctx.db, await visiblePerson(ctx, id))).map(serialize) }
}
