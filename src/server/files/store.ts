import type { Ctx } from '../context.ts'
import type { Platform } from '../platform.ts'
import { claimTo } from '../signed-claims.ts'
import type { StoredFile } from '../storage.ts'
import { insertFile, lockContent } from './queries.ts'

const LINK_MS = 3600_000

/** Returns a signed link to a stored file, valid for one to two hours. */
export const fileUrl = (
  platform: Pick<Platform, 'secrets' | 'now'>,
  tenantId: number,
  fileId: string,
  name: string,
): string => `/api/files/${claimTo(platform, 'file', tenantId, fileId, LINK_MS)}/${encodeURIComponent(name)}`

/**
 * Stores an uploaded file for this tenant and returns its id. It stays while a foreign key or a waiting event refers to
 * it; other references must be counted in `refs`, or it is cleaned up.
 */
export async function storeUpload(
  ctx: Ctx,
  stored: StoredFile,
  about: { durationMs?: number | undefined; waveform?: readonly number[] | undefined } = {},
): Promise<string> {
  const id = ctx.newId()
  await lockContent(ctx.db, stored.path, 'put')
  await ctx.platform.storage.commit(stored)
  await insertFile(ctx.db, {
    tenant_id: ctx.tenantId,
    id,
    sha256: stored.sha256,
    path: stored.path,
    name: stored.name,
    mime: stored.mime,
    size: stored.size,
    width: stored.width,
    height: stored.height,
    duration_ms: about.durationMs ?? null,
    waveform: about.waveform ? JSON.stringify(about.waveform) : null,
  })
  return id
}
