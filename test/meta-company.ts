import { type ConnectionDetail, connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import type { startMeta } from '#test/peers/meta/graph.ts'
import { call, type Product } from '#test/server.ts'

type Meta = Awaited<ReturnType<typeof startMeta>>

/** The word that both sides know. */
export const VERIFY_TOKEN = 'palavra combinada 42'

/** What is filled in of the app, as its panel at Meta shows it. */
export const appSettings = ({ app: { appId, appSecret } }: Meta) => ({
  ...{ appId, appSecret, verifyToken: VERIFY_TOKEN, version: 'v24.0' },
})

/** Fills in the app for a company (or, by the superadmin, for the installation); Meta calls its address from then on. */
export async function fillInApp(product: Product, meta: Meta, token: string) {
  Object.assign(product.platform.env, { META_GRAPH_URL: meta.address })
  const body = appSettings(meta)
  const saved = await call(product, providers.save, token, { params: { id: 'meta' }, body } as never)
  const { webhookUrl } = saved.body as { webhookUrl: string }
  meta.state.callback = webhookUrl.startsWith('http') ? webhookUrl : product.address + webhookUrl
}

/** A company's number of the Cloud API, with its own app; not started yet. */
export async function metaCompany(
  product: Product,
  meta: Meta,
  { token, isAppTheirs = true }: { tenantId: number; token: string; isAppTheirs?: boolean },
) {
  if (isAppTheirs) await fillInApp(product, meta, token)
  const { phoneId: tokenAPI, wabaId, token: bmToken } = meta.app
  const body = { type: 'waba', name: 'Empório', config: { tokenAPI, wabaId, bmToken } }
  const { id } = (await call(product, connections.create, token, { body } as never)).body as ConnectionDetail
  const params = { id }
  return {
    id,
    start: () => call(product, connections.start, token, { params }),
    read: async () => (await call(product, connections.get, token, { params })).body as ConnectionDetail,
  }
}
