import { z } from 'zod'
import { partBefore, present } from '#domain/present.ts'
import { findContact } from '#features/ledger/server/changes/index.ts'
import {
  findImport,
  findRunning,
  insertImport,
  listImports,
  lockImport,
  restoreTimes,
} from '#features/ledger/server/history/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import { findConnection } from '#features/ledger/server/rows/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { UserCtx } from '#server/bulk/kind.ts'
import { type Ctx, unit } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { job } from '#server/job.ts'
import { history } from '../contract.ts'
import { end, enqueueImport } from './import.ts'
import { publishRefresh, serializeImport } from './progress.ts'

type Import = Returned<typeof history.importAll>
type Form = Input<typeof history.importAll>['body']

/** Number of earlier imports per page. */
const SHOWN = 20
const BLOCK = 500
const FIRST = '00000000-0000-0000-0000-000000000000'

const requireOwn = ({ tenantId }: Ctx, { tenantId: named }: { tenantId?: number | undefined }): void =>
  void (named === undefined || named === tenantId || fail('ERR_NO_PERMISSION'))

/** Routes of history imports: start, list, stop; and the correction of imported times. */
export const historyRoutes = implement(history, {
  importAll: async (ctx, { body }) => begin(ctx, body, async () => null),
  importOne: (ctx, { body }) => begin(ctx, body, (channel) => conversationOf(ctx, body.contactId, channel)),
  list: async (ctx, { query }) => ({
    imports: (await listImports(ctx.db, query.whatsappId, SHOWN)).map(serializeImport),
  }),
  cancel: async (ctx, { params }) => {
    const found = required(await lockImport(ctx.db, params.id), 'ERR_NOT_FOUND')
    if (found.status === 'running') await end(ctx, found, 'canceled')
    return serializeImport(present(await findImport(ctx.db, params.id)))
  },
  restoreTimes: (ctx, { body }) => {
    requireOwn(ctx, body)
    ctx.enqueue(timesJob, {}, { key: `history:times:${ctx.tenantId}` })
    return { message: 'Os horários das mensagens importadas estão sendo conferidos.' }
  },
})

/** Starts an import, or returns the same running one; throws if the connection has a different running import. */
async function begin(ctx: UserCtx, body: Form, which: (channel: string) => Promise<string | null>): Promise<Import> {
  requireOwn(ctx, body)
  const { whatsappId, limit = 100, groups: hasGroups = true } = body
  const [since, until] = [body.since, body.until].map((at) => (at === undefined ? null : new Date(at)))
  if (since && until && since > until) fail('ERR_VALIDATION', { until: 'O fim vem antes do começo.' })
  const connection = required(await findConnection(ctx.db, whatsappId), 'ERR_NO_WAPP_FOUND')
  if (!capabilitiesOf(connection.type).history) fail('ERR_NO_HISTORY')
  const conversationKey = await which(connection.type)
  if (connection.status === 'DISCONNECTED') fail('ERR_WAPP_NOT_INITIALIZED')
  const range = { since: since ?? null, until: until ?? null, hasGroups }
  const about = { connectionId: whatsappId, userId: ctx.user.id, conversationKey, perChat: limit, ...range }
  const wish = { id: ctx.newId(), ...about }
  const isNew = await insertImport(ctx.db, { ...wish, now: ctx.now })
  const found = isNew ? await findImport(ctx.db, wish.id) : await findRunning(ctx.db, whatsappId)
  // The one that was in the way has just ended.
  if (!found) return fail('ERR_IMPORT_RUNNING')
  const isSame =
    found.conversation_key === conversationKey &&
    found.per_chat === limit &&
    found.has_groups === hasGroups &&
    found.since?.getTime() === since?.getTime() &&
    found.until?.getTime() === until?.getTime()
  if (!isSame) fail('ERR_IMPORT_RUNNING')
  enqueueImport(ctx, found)
  return serializeImport(found)
}

async function conversationOf(ctx: Ctx, contact: number | string, channel: string): Promise<string> {
  if (typeof contact === 'string') return partBefore(contact, '@')
  const { id, number } = required(await findContact(ctx.db, contact), 'ERR_NO_CONTACT_FOUND')
  return (await contactBook().identityOf(ctx.db, id, channel)) ?? number ?? fail('ERR_NO_ADDRESS')
}

/** Job that sets the channel's times on imported messages; idempotent. */
export const timesJob = job({
  name: 'history:times',
  schema: z.object({}),
  async run(platform, { tenantId }, { requireOwnership }) {
    const next = (after: string) =>
      unit(platform, { tenantId, user: null }, async (ctx) => {
        const { last, mended } = await restoreTimes(ctx.db, after, BLOCK)
        if (mended > 0) publishRefresh(ctx)
        return last
      })
    for (let after: string | null = FIRST; after !== null; requireOwnership()) after = await next(after)
  },
})
