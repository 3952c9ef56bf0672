import { mayUseConnection } from '#server/actors.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { type ConnectionRow, connections } from '../contract.ts'
import { listConnections } from './queries.ts'

export { forgetReceiver, moveConnections } from './queries-routing.ts'

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
        isAllowed: mayUseConnection(user, settings, row.id),
        queueId: row.queue_id,
        updatedAt: row.updated_at,
      })),
    }
  },
})

/** Connections to channels. */
export const connectionsFeature: Feature = { name: 'connections', routes }
