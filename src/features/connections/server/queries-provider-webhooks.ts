import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'
import { withCounted } from './queries-unread.ts'

/** Owner of a webhook address: a company, or (null) the installation. */
type Owner = { readonly ownerId: number | null; readonly provider: string }

const webhooks = (db: Queryable) =>
  db
    .selectFrom('provider_webhooks')
    .select(['id', 'owner_id', 'provider', 'path', 'refused_calls', 'unclaimed_events', 'unread'])

/** Webhook address of a provider, with its counts. */
export type StoredWebhook = Awaited<ReturnType<typeof findWebhook>> & {}

/** Returns the webhook address for a provider's settings. */
export const findWebhook = (db: Tx, { ownerId, provider }: Owner) =>
  webhooks(db).where('owner_id', 'is not distinct from', ownerId).where('provider', '=', provider).executeTakeFirst()

/** Returns the webhook address of a path, by its hash; none of an inactive company. */
export const webhookOfPath = (db: Queryable, pathHash: Buffer) =>
  webhooks(db)
    .where('path_hash', '=', pathHash)
    .where((one) =>
      one.or([
        one('owner_id', 'is', null),
        one.exists(
          one
            .selectFrom('tenants')
            .select('id')
            .whereRef('tenants.id', '=', 'provider_webhooks.owner_id')
            .where('tenants.status', '=', 'active'),
        ),
      ]),
    )

/** Creates the webhook address for a provider's settings, unless it exists. */
export async function insertWebhook(
  db: Tx,
  { ownerId, ...row }: Owner & { path: string; path_hash: Buffer },
): Promise<void> {
  await db
    .insertInto('provider_webhooks')
    .values({ ...row, owner_id: ownerId })
    .onConflict((conflict) => conflict.columns(['owner_id', 'provider']).doNothing())
    .execute()
}

/** Counts refused, unclaimed and unread calls at a webhook address. */
export async function countAtWebhook(
  db: Tx,
  id: number,
  { refused = 0, unclaimed = 0, unread = [] }: { refused?: number; unclaimed?: number; unread?: readonly string[] },
): Promise<void> {
  await sql`
    update provider_webhooks set refused_calls = refused_calls + ${refused}, unclaimed_events = unclaimed_events + ${unclaimed},
      unread = ${withCounted(unread)}
    where id = ${id}`.execute(db)
}

/** Returns the ids of the keys that encrypt webhook paths of providers; platform role. */
export const keysOfWebhooks = async (db: Tx): Promise<string[]> =>
  (
    await db
      .selectFrom('provider_webhooks')
      .select(sql<string>`split_part(path, '.', 1)`.as('key'))
      .distinct()
      .execute()
  ).map(({ key }) => key)
