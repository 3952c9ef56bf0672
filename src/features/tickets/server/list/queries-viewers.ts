import { sql } from 'kysely'
import type { Profile } from '#domain/access/profiles.ts'
import type { Queryable } from '#server/db/db.ts'

/** Colleague with the fields that visibility rules need. */
export type Colleague = {
  readonly id: number
  readonly name: string
  readonly folded: string
  readonly profile: Profile
  readonly isSupport: boolean
  readonly queueIds: readonly number[]
}

/** Returns a page of the company's agents by name, after a name and id. */
export async function listColleagues(
  db: Queryable,
  page: { after: readonly [string, number] | null; offset: number; limit: number },
): Promise<Colleague[]> {
  const after = page.after ? sql`and (app.fold(u.name), u.id) > (${page.after[0]}, ${page.after[1]}::bigint)` : sql``
  const { rows } = await sql<Colleague>`
    select u.id, u.name, app.fold(u.name) as folded, u.profile, u.is_support as "isSupport",
      array(select q.queue_id from user_queues q where q.tenant_id = u.tenant_id and q.user_id = u.id) as "queueIds"
    from users u where u.is_active and u.profile <> 'superadmin' and not u.is_support ${after}
    order by app.fold(u.name), u.id limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}
