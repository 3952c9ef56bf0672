import { type FeatureMakers, type Making, rowsOf } from './maker.ts'

async function accountOf(making: Making): Promise<number> {
  const at = making.product.platform.now()
  const row = { kind: 'calendar', provider: 'google', name: 'Agenda', created_at: at, updated_at: at }
  const id = await rowsOf(making).insert('provider_settings', making.tenantId, row)
  await making.product.platform.db.asPlatform((db) =>
    db
      .insertInto('calendar_syncs')
      .values({ tenant_id: making.tenantId, account_id: id, status: 'revoked', due_at: at })
      .execute(),
  )
  return id
}

async function eventOf(making: Making): Promise<string> {
  const id = crypto.randomUUID()
  const at = making.product.platform.now()
  const account_id = await accountOf(making)
  const [starts_at, ends_at] = [1, 2].map((hours) => new Date(at.getTime() + hours * 3_600_000))
  await making.product.platform.db.asPlatform((db) =>
    db
      .insertInto('calendar_events')
      .values({
        ...{ tenant_id: making.tenantId, id, account_id, remote_id: `g${id.replaceAll('-', '')}`, summary: 'Reunião' },
        ...{ starts_at: starts_at!, ends_at: ends_at!, created_at: at, updated_at: at },
      })
      .execute(),
  )
  return id
}

export const makers: FeatureMakers = {
  params: { 'calendarAccounts.id': accountOf, 'calendarEvents.id:uuid': eventOf, 'calendarEvents.id': eventOf },
  bodies: {
    'calendarEvents.create': { title: 'Reunião', start: '2199-01-01', end: '2199-01-01', configId: 1 },
    'calendarEvents.update': { title: 'Reunião' },
  },
  queries: { 'calendar.view': { from: '2026-11-01', to: '2026-11-30' } },
}
