import { type ConnectionDetail, connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { startMeta } from '#test/peers/meta/graph.ts'
import { call, type Product } from '#test/server.ts'
import { until } from '#test/until.ts'

type Meta = Awaited<ReturnType<typeof startMeta>>

/** The word that both sides know. */
export const VERIFY_TOKEN = 'palavra combinada 42'

/** Returns the app's settings, as its panel at Meta shows them. */
export const appSettings = ({ app: { appId, appSecret } }: Meta) => ({
  ...{ appId, appSecret, verifyToken: VERIFY_TOKEN, version: 'v24.0' },
})

/** Fills in the app for a company (or, by the superadmin, for the installation); Meta calls its address from then on. */
export async function fillInApp(product: Product, meta: Meta, token: string) {
  const { address } = meta
  Object.assign(product.platform.env, {
    META_GRAPH_URL: address,
    META_LOGIN_URL: address,
    META_INSTAGRAM_URL: address,
  })
  const body = appSettings(meta)
  const saved = await call(product, providers.save, token, { params: { id: 'meta' }, body } as never)
  const { webhookUrl } = saved.body as { webhookUrl: string }
  meta.state.callback = webhookUrl.startsWith('http') ? webhookUrl : product.address + webhookUrl
}

/** A company's number of the Cloud API, page or Instagram account (`isLinked`: reached by the page), with its own app; not started yet. */
export async function metaCompany(
  product: Product,
  meta: Meta,
  company: { readonly tenantId: number; readonly adminId: number; token: string },
  {
    isAppTheirs = true,
    type = 'waba',
    isLinked = false,
  }: { isAppTheirs?: boolean; type?: 'waba' | 'instagram' | 'messenger'; isLinked?: boolean } = {},
) {
  const { tenantId, adminId } = company
  if (isAppTheirs) await fillInApp(product, meta, company.token)
  const { page, instagram, linked } = meta.direct.accounts
  const configs = {
    waba: { tokenAPI: meta.app.phoneId, wabaId: meta.app.wabaId, bmToken: meta.app.token },
    instagram: isLinked
      ? { tokenAPI: linked.id, wabaId: page.id, bmToken: page.token }
      : { tokenAPI: instagram.id, bmToken: instagram.token },
    messenger: { tokenAPI: page.id, wabaId: page.businessId, bmToken: page.token },
  }
  const body = { type, name: 'Empório', config: configs[type] }
  const { id } = (await call(product, connections.create, company.token, { body } as never)).body as ConnectionDetail
  const params = { id }
  return {
    ...{ id, tenantId },
    start: () => call(product, connections.start, company.token, { params }),
    /** Accepts a contact's conversation as the administrator. */
    async accept(conversationKey: string) {
      const find = () =>
        product.platform.db.read(tenantId, (db) =>
          db.selectFrom('tickets').select('id').where('conversation_key', '=', conversationKey).executeTakeFirst(),
        )
      await until(async () => (await find()) !== undefined)
      const { id: ticketId } = (await find())!
      await call(product, tickets.update, company.token, {
        params: { id: ticketId },
        body: { status: 'open', userId: adminId },
      })
      return ticketId
    },
    reply: async (ticketId: number, body: string, more: object = {}) =>
      (await call(product, messages.send, company.token, {
        params: { ticketId },
        body: { body, idFront: crypto.randomUUID(), ...more } as never,
      })) as { status: number; body: { error?: string; messages: { id: string }[] } },
    messageOf: (messageId: string) =>
      product.platform.db.read(tenantId, (db) =>
        db.selectFrom('messages').selectAll().where('id', '=', messageId).executeTakeFirstOrThrow(),
      ),
    messageCount: async () =>
      (await product.platform.db.read(tenantId, (db) => db.selectFrom('messages').select('id').execute())).length,
    /** Returns the reason of a message's state, from its trail. */
    reasonOf: async (messageId: string) => {
      const steps = await product.platform.db.read(tenantId, (db) =>
        db.selectFrom('message_trail').select('detail').where('message_id', '=', messageId).orderBy('id').execute(),
      )
      const { reason, error } = steps.at(-1)!.detail as { reason?: string; error?: string }
      return reason ?? error
    },
    read: async () => (await call(product, connections.get, company.token, { params })).body as ConnectionDetail,
  }
}
