import { z } from 'zod'
import { hintOf } from '#kit/fields/secret.ts'
import { channelConfigs, channelType } from '#providers/channels/configs.ts'
import { isSendFailure, type RenewedSecret } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { startLooking } from '#server/looking.ts'
import type { Platform } from '#server/platform.ts'
import { reachConnection } from './adapters.ts'
import { findConnection, lockConnection } from './queries.ts'
import { findEndingSecrets } from './queries-renewals.ts'
import { changeConnection, stopConnection } from './save.ts'
import { encrypt } from './values.ts'

const DAY_MS = 86_400_000
/** Time before its expiry at which a secret is renewed, in ms. */
const AHEAD_MS = 10 * DAY_MS
const LOOK_MS = 3_600_000

/** Renews a connection's secret at its provider; a failure is repeated the next day. */
export const renewJob = job({
  name: 'connections:renew-secret',
  schema: z.object({ connectionId: z.number(), field: z.string() }),
  async run(platform, { tenantId, connectionId: id, field }) {
    const before = await platform.db.read(tenantId, (db) => findConnection(db, id))
    const known = before?.secrets?.[field]
    const reached = await reachConnection(platform, tenantId, id)
    // The attempt has just been recorded, which reopens an open connection.
    if (!known || !before || before.status === 'DISCONNECTED' || !reached?.adapter.renew) return
    const renewed = await reached.adapter.renew().catch((error: unknown) => {
      platform.log.warn({ err: error, tenantId, connectionId: id }, 'a secret was not renewed')
      return isSendFailure(error) && error.stops ? error.stops : null
    })
    if (typeof renewed === 'string') return stopConnection(platform, tenantId, id, renewed)
    if (renewed) await saveRenewed(platform, tenantId, id, { renewed, before: known.encrypted })
  },
})

const saveRenewed = (
  platform: Platform,
  tenantId: number,
  id: number,
  { renewed, before }: { renewed: RenewedSecret; before: string },
): Promise<void> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const row = await lockConnection(ctx.db, id)
    const secrets = row?.secrets
    // A newer secret was entered meanwhile.
    if (secrets?.[renewed.field]?.encrypted !== before) return
    const { field, secret, until } = renewed
    const stored = { encrypted: encrypt(platform, { tenantId, id }, secret), hint: hintOf(secret), until }
    await changeConnection(ctx, id, { secrets: { ...secrets, [field]: stored } })
  })

/** Enqueues the renewal of every secret that expires within ten days or whose expiry is unknown, each once a day. */
export async function renewSecrets(platform: Platform): Promise<void> {
  const fieldOf = new Map(
    channelConfigs.flatMap(({ types, renews }) => (renews ? types.map(({ type }) => [type, renews] as const) : [])),
  )
  const now = platform.now().getTime()
  const ending = await platform.db.asPlatform((db) =>
    findEndingSecrets(db, [...fieldOf.keys()], { until: now + AHEAD_MS, triedBefore: now - DAY_MS }),
  )
  for (const { tenantId, id } of ending)
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      const row = await lockConnection(ctx.db, id)
      const field = row && channelType(row.type)?.config.renews
      const secrets = row?.secrets
      if (!field || !secrets?.[field]) return
      const tried = { ...secrets[field], triedAt: now }
      await changeConnection(ctx, id, { secrets: { ...secrets, [field]: tried } })
      ctx.enqueue(renewJob, { connectionId: id, field }, { key: `renew:${tenantId}:${id}` })
    })
}

/** Starts renewing due secrets once an hour; returns a function that stops. */
export const startRenewals = (platform: Platform) =>
  startLooking(platform, {
    ...{ work: renewSecrets, everyMs: LOOK_MS },
    complaint: 'secrets that end could not be looked for',
  })
