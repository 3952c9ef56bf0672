import type { Ctx } from '#server/context.ts'
import { beginCursor, endpointRows, findOfSource, readLastSeq } from './queries-endpoints.ts'
import { endpointEncryption } from './secrets.ts'
import { newSecret } from './signature.ts'

/** Events and callback URL that an API key requests. */
type Wanted = {
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  /** `authorization` header of each call, unencrypted; null: none. */
  readonly authorization: string | null
  readonly connectionIds: readonly number[]
}

/** Creates or updates the endpoint of an API key in a format; null: removes it with its deliveries. */
export async function saveCallback(
  ctx: Ctx,
  of: { source: string; format: string },
  wanted: Wanted | null,
): Promise<void> {
  const { db, now } = ctx
  const stored = await findOfSource(db, of)
  if (!wanted) {
    if (stored) await endpointRows.remove(db, stored.id)
    return
  }
  const { encrypt } = endpointEncryption(ctx.platform, ctx.tenantId)
  const { name, url, events, authorization, connectionIds } = wanted
  const more = {
    ...{ events: [...events], connection_ids: [...connectionIds] },
    authorization_value: authorization === null ? null : encrypt(authorization),
  }
  await beginCursor(db)
  if (!stored) {
    const made = { ...more, ...of, secret: encrypt(newSecret()), after_seq: await readLastSeq(db) }
    await endpointRows.insert(db, { name, url, isActive: true }, now, made)
  } else {
    const isBack = stored.isActive
      ? {}
      : { after_seq: await readLastSeq(db), off_reason: null, off_at: null, failures: 0 }
    await endpointRows.update(db, stored.id, { name, url, isActive: true }, now, { ...more, ...isBack })
  }
  ctx.stale(`webhooks ${ctx.tenantId}`)
}
