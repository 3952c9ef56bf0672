import type { z } from 'zod'
import { describeContact, link } from '#features/contacts/server/index.ts'
import { decideNext } from '#features/tickets/server/begin/index.ts'
import { fail } from '#kit/errors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { addToDirectory, findInDirectory } from '#server/db/directory.ts'
import { retireTokens } from '#server/db/replaced-keys.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { uuidv7 } from '#server/ids.ts'
import type { Platform } from '#server/platform.ts'
import { newToken, sha256 } from '#server/secrets.ts'
import type { VisitorUser, webchat } from '../contract.ts'
import { isProof, proofSecret } from './channels.ts'
import { agreedTo, detailsOf, hasIntroduced, introductionOf } from './introductions.ts'
import { findVisitor, insertVisitor, introduceVisitor, isClaimed, joinVisitor, touchVisitor } from './queries.ts'
import {
  arrived,
  beginsAs,
  type Channel,
  channelOf,
  findVisitorByToken,
  publishGoneTokens,
  rememberToken,
  tokenHashOf,
  VISITOR_KIND,
} from './visitors.ts'

const USER_KIND = 'webchat_user'

/** Returns the directory key of a reader proven by the company's server; null without proof. */
function provenKey(platform: Platform, channel: Channel, user: VisitorUser | undefined): string | null {
  if (!user) return null
  if (user.hash === undefined) return channel.requiresProof ? fail('ERR_NO_PERMISSION') : null
  const secret = proofSecret(platform, channel)
  return secret !== null && isProof(secret, user.id, user.hash)
    ? `${channel.tenantId}:${channel.id}:${user.id}`
    : fail('ERR_NO_PERMISSION')
}

/**
 * Finds the conversation: that of the proven reader, else that of the browser's token, else a new one. A token from before
 * the proof may be known to others: it is not reused, and `retires` lists the visitors whose tokens end.
 */
async function recognise(platform: Platform, channel: Channel, key: string | null, token: string | undefined) {
  const found = token ? await findVisitorByToken(platform, token) : null
  const isOfChannel = found?.tenantId === channel.tenantId && found.connectionId === channel.id
  const visitor = isOfChannel && (key || !found.token.isRetired) ? await arrived(platform, found) : null
  const own = visitor?.visitorId ?? null
  if (!key) return { visitorId: own, reusesToken: own !== null, claims: false, joins: null, retires: [] }
  return platform.db.asPlatform(async (db) => {
    const known = await findInDirectory(db, USER_KIND, key)
    // Another reader's conversation in the same browser is not given to the next reader.
    const isFree = own !== null && own !== known?.subject_id && !(await isClaimed(db, USER_KIND, channel.tenantId, own))
    const joins = isFree ? own : null
    const isTheirs = isFree || (own !== null && own === known?.subject_id)
    const retires = [isTheirs ? own : null, known?.subject_id ?? null].filter((id) => id !== null)
    const about = { retires, claims: !known }
    if (!known) return { ...about, visitorId: joins, reusesToken: false, joins: null }
    const isProven = visitor?.token.isProven === true && known.subject_id === own
    return { ...about, visitorId: known.subject_id, reusesToken: isProven, joins }
  })
}

/** Merges an unproven conversation of the same browser into the proven reader's; can be undone like any merge. */
async function join(ctx: Ctx, joins: string, into: string): Promise<void> {
  await joinVisitor(ctx.db, joins, into)
  const { contactId = null } = (await findVisitor(ctx.db, joins)) ?? {}
  if (contactId !== null) await link(ctx, { channel: 'webchat', identity: into, alias: joins, number: null })
}

/** Stores the site's data about its reader with the contact, then the visitor's own form data, which is unproven. */
async function describe(
  { db, settings }: Ctx,
  contactId: number,
  visitor: NonNullable<Awaited<ReturnType<typeof findVisitor>>>,
  { user, attributes = {} }: z.output<typeof webchat.session.body>,
  isProven: boolean,
): Promise<void> {
  const { name = '', email = '' } = user ?? {}
  if (user || Object.keys(attributes).length > 0)
    await describeContact(db, contactId, { name, email, details: detailsOf(user ?? {}), attributes, isProven })
  if (!hasIntroduced(visitor)) return
  const { form } = visitor
  const filledIn = { name: form.name ?? '', email: form.email ?? '', details: detailsOf(form) }
  const agreed = agreedTo(visitor, settings.timezone)
  await describeContact(db, contactId, { ...filledIn, attributes: agreed, isProven: false })
}

/**
 * Resumes a visitor's conversation, or begins one. A proven reader gets the same conversation on every device; without a
 * proof the site's data only fills empty fields, since it could be forged.
 */
export async function openVisit(
  platform: Platform,
  request: RequestInfo,
  visit: z.output<typeof webchat.session.body>,
): Promise<z.input<typeof webchat.session.returns>> {
  await platform.limits.use('widgetOpen', networkOf(request.ip))
  const channel = await channelOf(platform, visit.token)
  const { tenantId } = channel
  const key = provenKey(platform, channel, visit.user)
  const known = await recognise(platform, channel, key, visit.visitorToken)
  const settings = await platform.settings.get(String(tenantId))
  const began = beginsAs(channel, settings, platform.now())
  // Proven and returning readers are known already.
  const isStranger = key === null && known.visitorId === null
  const introduction = visit.form || isStranger ? introductionOf(began, visit.form) : null
  if (known.reusesToken) await platform.limits.use('api', `webchat:${known.visitorId}`)
  else await platform.limits.use('widgetSession', networkOf(request.ip))

  const visitorId = known.visitorId ?? uuidv7(platform.now().getTime())
  const token = known.reusesToken ? visit.visitorToken! : newToken()
  if (!known.reusesToken) {
    const { retired, made } = await platform.db.asPlatform(async (db) => {
      const retired = await retireTokens(db, VISITOR_KIND, tenantId, known.retires)
      const retires = retired.length > 0 ? known.retires : []
      const made = { isProven: key !== null, isRetired: false, retires }
      const entry = { tenantId, subjectId: visitorId, data: { connectionId: channel.id } }
      const data = { ...entry.data, ...(key ? { isProven: true } : {}), ...(retires.length > 0 ? { retires } : {}) }
      await addToDirectory(db, { ...entry, data, kind: VISITOR_KIND, key: token })
      if (key && known.claims) await addToDirectory(db, { ...entry, kind: USER_KIND, key })
      return { retired, made }
    })
    if (retired.length > 0) await publishGoneTokens(platform, tenantId, retired)
    const tokenHash = tokenHashOf(token)
    rememberToken(platform, { tenantId, connectionId: channel.id, visitorId, tokenHash, token: made })
  }
  const name = visit.user?.name || introduction?.answers.name || ''
  const seen = { name, page: visit.page?.url ?? '', language: visit.language }
  const ticketOpen = await unit(platform, { tenantId, user: null }, async (ctx) => {
    const { db } = ctx
    if (known.visitorId) await touchVisitor(db, visitorId, seen)
    else await insertVisitor(db, { id: visitorId, connectionId: channel.id, tokenHash: sha256(token), ...seen })
    if (introduction) await introduceVisitor(db, visitorId, introduction)
    if (known.joins) await join(ctx, known.joins, visitorId)
    const visitor = await findVisitor(db, visitorId)
    if (visitor?.contactId) await describe(ctx, visitor.contactId, visitor, visit, key !== null)
    const next = { by: 'contact', isGroup: false, number: null } as const
    return (await decideNext(db, next, channel.id, visitorId)).kind === 'continue'
  })
  return { visitorToken: token, ticketOpen }
}
