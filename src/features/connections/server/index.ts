import { seesWide } from '#domain/access/profiles.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { type ConnectionRow, connections } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { listConnections } from './queries.ts'

export { findConnection, findDefaultConnection } from './queries.ts'

/** Whether the user may start conversations on a connection: whoever sees wide may, and whoever has no list of their own. */
export const mayUse = (actor: Actor, settings: TenantSettings, connectionId: number): boolean =>
  seesWide(actor, isOn(settings, 'supervisorAdmin')) ||
  actor.connectionIds.length === 0 ||
  actor.connectionIds.includes(connectionId)

const routes = implement(connections, {
  list: async ({ db, user, settings }) => {
    const rows = await listConnections(db)
    return {
      connections: rows.map((row) => ({
        id: row.id,
        name: row.name,
        type: row.type,
        status: row.status as ConnectionRow['status'],
        number: row.number,
        isDefault: row.is_default,
        isAllowed: mayUse(user, settings, row.id),
        queueId: row.queue_id,
        updatedAt: row.updated_at,
      })),
    }
  },
})

/** Connections to channels. */
export const connectionsFeature: Feature = {
  name: 'connections',
  permissions,
  errors,
  routes,
}
