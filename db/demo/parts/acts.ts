import { sql } from 'kysely'
import type { DemoPart } from '#db/demo/part.ts'

const HOUR = 3_600_000

/** Edited, revoked, forwarded and pinned messages; snoozed and followed tickets, saved views. */
export const part: DemoPart = {
  after: ['conversations', 'groups'],
  async seed({ platform, db, tenantId, ids }) {
    const now = platform.now()
    const [ana, marta] = ['ana@demo.test', 'supervisor@demo.test'].map((email) => ids.users.get(email))
    if (ana === undefined || marta === undefined) return
    const { rows: open } = await sql<{ id: number; user_id: number; queue_id: number }>`
      select id, user_id, queue_id from tickets
      where tenant_id = ${tenantId} and status = 'open' and not is_group and user_id = ${ana} order by updated_at desc limit 6`.execute(
      db,
    )
    const [snoozed, paused, followed] = open.slice(-3)
    if (!snoozed || !paused || !followed) return

    /** Returns the newest text message of those conversations from the team or the contact, after `skipped` newer ones. */
    const text = async (fromMe: boolean, skipped: number): Promise<string> => {
      const { rows } = await sql<{ id: string }>`
        select m.id from messages m where m.tenant_id = ${tenantId} and m.ticket_id = any(${open.map(({ id }) => id)}::bigint[])
          and m.from_me = ${fromMe} and m.media_type = 'text' and m.status <> 'pending' and not m.is_note
        order by m.timestamp desc, m.seq desc offset ${skipped} limit 1`.execute(db)
      return rows[0]!.id
    }
    const [edited, revoked, forwarded, reacted, pinned] = [
      await text(true, 0),
      await text(true, 4),
      await text(false, 1),
      await text(false, 0),
      await text(false, 2),
    ]
    await sql`update messages set edition = rtrim(body, '.!? ') || '…' where tenant_id = ${tenantId} and id = ${edited}`.execute(
      db,
    )
    await sql`update lab_messages set is_edited = true where tenant_id = ${tenantId} and id = ${edited}`.execute(db)
    await sql`update messages set is_deleted = true where tenant_id = ${tenantId} and id = ${revoked}`.execute(db)
    await sql`update lab_messages set is_deleted = true where tenant_id = ${tenantId} and id = ${revoked}`.execute(db)
    await sql`update messages set send_type = 'forward' where tenant_id = ${tenantId} and id = ${forwarded}`.execute(db)
    await sql`update lab_messages set is_forwarded = true where tenant_id = ${tenantId} and id = ${forwarded}`.execute(
      db,
    )
    await sql`update messages set reaction_from_me = '👍', reaction = '❤️' where tenant_id = ${tenantId} and id = ${reacted}`.execute(
      db,
    )
    await sql`update lab_messages set team_reaction = '👍', reaction = '❤️' where tenant_id = ${tenantId} and id = ${reacted}`.execute(
      db,
    )
    await sql`insert into pinned_messages (tenant_id, message_id, ticket_id, user_id, created_at)
      select tenant_id, id, ticket_id, ${marta}, ${now} from messages where tenant_id = ${tenantId} and id = ${pinned}`.execute(
      db,
    )

    const until = new Date(Math.ceil(now.getTime() / HOUR) * HOUR + 18 * HOUR)
    await sql`update tickets set snoozed_until = ${until} where tenant_id = ${tenantId} and id = ${snoozed.id}`.execute(
      db,
    )
    const wake = { tenantId, until: until.getTime() }
    await sql`select app.add_job('tickets:wake', ${JSON.stringify(wake)}::json, ${`tickets:wake:${tenantId}:${wake.until}`}, null, ${until}::timestamptz)`.execute(
      db,
    )
    await sql`update tickets set paused_at = ${new Date(now.getTime() - HOUR)} where tenant_id = ${tenantId} and id = ${paused.id}`.execute(
      db,
    )
    const logs = [
      { ticket: snoozed, type: 'snooze', data: { until: until.toISOString() } },
      { ticket: paused, type: 'pause', data: { reason: 'Esperando o orçamento da fábrica' } },
    ]
    for (const { ticket, type, data } of logs)
      await sql`insert into ticket_logs (tenant_id, ticket_id, type, user_id, queue_id, data, created_at)
        values (${tenantId}, ${ticket.id}, ${type}, ${ana}, ${ticket.queue_id}, ${JSON.stringify(data)}, ${now})`.execute(
        db,
      )
    await sql`insert into ticket_followers (tenant_id, ticket_id, user_id, created_at)
      values (${tenantId}, ${followed.id}, ${marta}, ${now})`.execute(db)
    await sql`insert into settings (tenant_id, key, value) values (${tenantId}, 'allowPause', 'enabled') on conflict do nothing`.execute(
      db,
    )

    const views = [
      { name: 'Esperando há mais de 1 hora', filter: { tab: 'open', waitingMinutes: 60 }, audience: 'company' },
      {
        ...{ name: 'Vendas sem responsável', filter: { tab: 'pending', isNotAssignedUser: true } },
        ...{ audience: 'queue', queue_id: ids.queues.get('Vendas') },
      },
      {
        name: 'Minhas não lidas',
        filter: { scope: 'mine', withUnreadMessages: true },
        audience: 'person',
        user_id: ana,
      },
    ] as const
    for (const [position, { filter, ...view }] of views.entries())
      await db
        .insertInto('ticket_views')
        .values({
          ...{ tenant_id: tenantId, filter: JSON.stringify(filter), position, created_at: now, updated_at: now },
          ...view,
        })
        .execute()
  },
}
