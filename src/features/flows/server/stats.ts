import { visibleSql } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { implement } from '#server/http/route.ts'
import { pageOf, pageStartOf } from '#server/paging.ts'
import { flowStats } from '../insight-contract.ts'
import type { Asking } from './play.ts'
import { findFlow, findVersion } from './queries.ts'
import { countVisits, countWalks, listVisits, MOST_WALKS, type Walks } from './queries-stats.ts'

const USUAL_MS = 30 * 24 * 3_600_000

type Step = Returned<typeof flowStats.get>['steps'][number]

/** Returns the filter of the requested conversations; null if no version is published. */
async function walksOf(
  ctx: Asking,
  chatFlowId: number,
  { version: named, from, to }: Pick<Input<typeof flowStats.get>['query'], 'version' | 'from' | 'to'>,
): Promise<Walks | null> {
  const { published_version } = required(await findFlow(ctx.db, chatFlowId), 'ERR_NO_CHAT_FLOW_FOUND')
  const version = named === undefined ? published_version : Number(named)
  const end = Number(to ?? ctx.now.getTime() + 1)
  const period = { from: new Date(Number(from ?? Math.max(0, end - USUAL_MS))), to: new Date(end) }
  if (period.from > period.to) fail('ERR_VALIDATION', { to: 'O fim do período vem antes do começo.' })
  if (version === null) return null
  if (named !== undefined) required(await findVersion(ctx.db, chatFlowId, version), 'ERR_NO_FLOW_VERSION_FOUND')
  return { chatFlowId, version, ...period }
}

/** Route handlers of flow statistics. */
export const statsRoutes = implement(flowStats, {
  get: async (ctx, { params, query }) => {
    const walks = await walksOf(ctx, params.id, query)
    const count = walks ? await countWalks(ctx.db, walks) : 0
    const rows = walks ? await countVisits(ctx.db, walks) : []
    return {
      version: walks?.version ?? null,
      ...{ conversations: Math.min(count, MOST_WALKS), isCapped: count > MOST_WALKS },
      steps: [...Map.groupBy(rows, ({ nodeId }) => nodeId)].map(([nodeId, ofStep]): Step => {
        const whole = ofStep.find(({ way }) => way === null)
        return {
          ...{ nodeId, visits: whole?.count ?? 0, medianMs: whole?.medianMs ?? null },
          ways: ofStep.flatMap(({ way, index, count: taken }) =>
            way === null ? [] : [{ way: way as Step['ways'][number]['way'], index, count: taken }],
          ),
        }
      }),
    }
  },
  conversations: async (ctx, { params, query }) => {
    const walks = await walksOf(ctx, params.id, query)
    const start = pageStartOf<[number, string, number]>(query, 3)
    const { nodeId, way = null, index } = query
    const which = { nodeId, way, index: index === undefined ? null : Number(index) }
    const found = walks ? await listVisits(ctx.db, walks, which, visibleSql(ctx.user, ctx.settings), start) : []
    const { rows, paging } = pageOf(found, ({ position, sessionId, number }) => [position, sessionId, number])
    return {
      conversations: rows.map(({ ticketId, contactName, status, at }) => ({ ticketId, contactName, status, at })),
      ...paging,
    }
  },
})
