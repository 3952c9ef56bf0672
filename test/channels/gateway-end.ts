import { connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import type { PhoneGot } from '#test/peers/gateway.ts'
import { call, type Product } from '#test/server.ts'
import { until } from '#test/until.ts'
import type { Arrived } from './contact-end.ts'

/** Contacts who write through a gateway, and who share groups with it. */
export const OTAVIO = { number: '5519998124407', name: 'Otávio' }
export const NADIA = { number: '5519998124408', name: 'Nádia' }
export const SHOP = { number: '5519999990000', name: 'Empório' }

/**
 * Creates a connection of a type whose phone a gateway holds; returns functions to read, start, link and await its state.
 */
export async function linkedByGateway(
  product: Product,
  token: string,
  of: { type: string; provider: string; settings: object; config?: object; scan: (code: string) => Promise<void> },
) {
  // Address of the gateway's webhooks.
  Object.assign(product.platform.env, { PUBLIC_URL: product.address })
  const saved = await call(product, providers.save, token, { params: { id: of.provider }, body: of.settings as never })
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
  const made = await call(product, connections.create, token, {
    body: { type: of.type, name: 'Empório', config: of.config ?? {} } as never,
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  const params = { id: made.body.id }
  const read = async () => (await call(product, connections.get, token, { params })).body
  const start = () => call(product, connections.start, token, { params })
  const is = (status: string) => until(async () => (await read()).status === status)
  const link = async () => {
    const started = await start()
    if (started.status !== 200) throw new Error(JSON.stringify(started.body))
    await until(async () => (await read()).qrcode !== null)
    await of.scan((await read()).qrcode!)
    await is('CONNECTED')
  }
  return { ...params, params, read, start, is, link }
}

/** Converts a message on the contact's phone to the suite's form. */
export const arrivedBy = ({ id, kind, body, quotes, data, file, isVoice }: PhoneGot): Arrived => ({
  ...{ id, body: body ?? '', quotes, data: (data ?? null) as Arrived['data'] },
  ...{ file, isSticker: kind.startsWith('sticker'), voice: isVoice ? true : null },
})

/** Converts a message to a group in the same way; `nadia`: the contact's id in mentions. */
export const inGroup = ({ body, mentioned, everyone }: PhoneGot, nadia = `${NADIA.number}@s.whatsapp.net`) => ({
  body: (body ?? '').replace(`@${NADIA.number}`, '@Nádia'),
  mentions: mentioned.includes(nadia) ? [NADIA.name] : [],
  everyone,
})

/** Changes or removes the contact's picture at a gateway. */
export function look(gateway: { readonly pictures: Map<string, Uint8Array> }, picture: Uint8Array | null): void {
  if (picture) gateway.pictures.set(OTAVIO.number, picture)
  else gateway.pictures.delete(OTAVIO.number)
}

/** Waits until the product knows all members of a group by name. */
export const groupKnown = (product: Product, tenantId: number, conversationKey: string, members: number) =>
  until(async () => {
    const named = await product.platform.db.read(tenantId, (db) =>
      db
        .selectFrom('group_members')
        .innerJoin('contact_identities', 'contact_identities.contact_id', 'group_members.contact_id')
        .where('contact_identities.identity', '=', conversationKey)
        // A member without a name has their number as name.
        .where('group_members.name', 'not like', '+%')
        .select('group_members.identity')
        .execute(),
    )
    return named.length === members
  })
