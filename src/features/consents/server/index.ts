import { type ConsentState, PURPOSES, stateOf } from '#domain/consents/consents.ts'
import { maySeeContact, registerImportConsents } from '#features/contacts/server/index.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { type ReadCtx, reading } from '#server/context.ts'
import type { Feature } from '#server/feature.ts'
import type { Forgetting } from '#server/forgetting.ts'
import type { Download } from '#server/http/download.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import { tableFile } from '#server/sheet.ts'
import { consents } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import {
  addressesOf,
  type ConsentRecord,
  clearNotes,
  consentsAfter,
  insertConsents,
  pageOfConsents,
  statesOf,
} from './queries.ts'

export { consentGate, mayBeAsked, revokedAmong } from './gate.ts'
export { leaveToPeople, takeOptOuts } from './opt-out.ts'

registerImportConsents(async ({ db, now }, contactIds, { note, userId }) => {
  const addresses = [...new Set([...(await addressesOf(db, contactIds)).values()].flat())]
  const states = await statesOf(db, addresses, 'marketing')
  const declared = {
    purpose: 'marketing',
    state: 'granted',
    source: 'import',
    note,
    connectionId: null,
    userId,
  } as const
  const unknown = addresses.filter((address) => !states.has(address))
  await insertConsents(
    db,
    unknown.map((address) => ({ ...declared, address })),
    now,
  )
})

type Viewing = Pick<ReadCtx, 'platform' | 'settings' | 'db'> & { user: Actor }

/** Returns the addresses of a contact that the user may see; throws 404 ERR_NO_CONTACT_FOUND. */
async function visibleAddresses(ctx: Viewing, contactId: number): Promise<readonly string[]> {
  if (!(await maySeeContact(ctx, contactId))) fail('ERR_NO_CONTACT_FOUND')
  return (await addressesOf(ctx.db, [contactId])).get(contactId) ?? []
}

async function currentOf({ db }: Pick<ReadCtx, 'db'>, addresses: readonly string[]) {
  const [marketing, utility] = await Promise.all(PURPOSES.map((purpose) => statesOf(db, addresses, purpose)))
  const of = (states: Map<string, ConsentState> | undefined) => stateOf([...(states?.values() ?? [])])
  return { marketing: of(marketing), utility: of(utility) }
}

const serialize = ({
  user_id,
  user_name,
  connection_id,
  created_at,
  purpose,
  state,
  source,
  ...row
}: ConsentRecord) => ({
  ...row,
  purpose,
  state,
  source: source,
  whatsappId: connection_id,
  user: user_id === null ? null : { id: user_id, name: user_name ?? '' },
  createdAt: created_at,
})

const routes = implement(consents, {
  list: async (ctx, { query }) => {
    const addresses = await visibleAddresses(ctx, query.contactId)
    const found = await pageOfConsents(ctx.db, addresses, exactPageStartOf<[number]>(query, 1))
    const { rows, paging } = pageOf(found, ({ id }) => [id])
    const list = { count: rows.length, countIsCapped: paging.hasMore, ...paging }
    return { consents: rows.map(serialize), states: await currentOf(ctx, addresses), ...list }
  },
  create: async (ctx, { body: { contactId, ...about } }) => {
    const addresses = await visibleAddresses(ctx, contactId)
    if (addresses.length === 0) fail('ERR_CONTACT_WITHOUT_ADDRESS')
    await insertConsents(
      ctx.db,
      addresses.map((address) => ({ ...about, address, connectionId: null, userId: ctx.user.id })),
      ctx.now,
    )
    const states = await currentOf(ctx, addresses)
    ctx.audit({ after: { contactId, ...about } })
    return { states }
  },
  export: (ctx) => exportConsents(ctx),
})

const BLOCK = 1000
const COLUMNS = ['endereco', 'finalidade', 'estado', 'origem', 'observacao', 'usuario', 'data']

/** Streams all consent records of the company as CSV. */
function exportConsents(ctx: SlowCtx): Promise<Download> {
  async function* rows() {
    yield COLUMNS
    for (let after = 0; ; ) {
      const start = after
      const block = await reading(ctx.platform, ctx, ({ db }) => consentsAfter(db, start, BLOCK))
      for (const row of block)
        yield [
          row.address,
          row.purpose,
          row.state,
          row.source,
          row.note,
          row.user_name ?? '',
          row.created_at.toISOString(),
        ]
      const last = block.at(-1)
      if (!last || block.length < BLOCK) return
      after = last.id
    }
  }
  return tableFile('csv', { name: 'consentimentos' }, rows())
}

/** Clears the notes of a forgotten person's consents; withdrawals remain, so that they are still respected. */
export const forgetConsentNotes: Forgetting = async (ctx, { contactIds }) =>
  clearNotes(ctx.db, [...(await addressesOf(ctx.db, contactIds)).values()].flat())

/** Server part of the feature `consents`: consents and opt-outs of contacts. */
export const consentsFeature: Feature = {
  name: 'consents',
  titles: { consents: 'Consentimentos' },
  permissions,
  errors,
  settings,
  routes,
}
