import { LRUCache } from 'lru-cache'
import type { FlowDocument } from '#domain/flow/document.ts'
import type { Flow } from '#domain/flow/flow.ts'
import { readFlow } from '#domain/flow/read.ts'
import type { ReadCtx } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { type FlowRecord, findVersion } from './queries.ts'

/** Cache of parsed versions, which only a tag merge changes. */
const versions = new WeakMap<Platform, LRUCache<string, Flow>>()
const MOST_VERSIONS = 200

/** Returns a published version, parsed for the engine; null if it does not exist. */
export async function flowOf(
  { platform, tenantId, db }: Pick<ReadCtx, 'platform' | 'tenantId' | 'db'>,
  chatFlowId: number,
  version: number,
): Promise<Flow | null> {
  const known = versions.get(platform) ?? new LRUCache<string, Flow>({ max: MOST_VERSIONS })
  versions.set(platform, known)
  const key = `${tenantId}:${chatFlowId}:${version}`
  const cached = known.get(key)
  if (cached) return cached
  const found = await findVersion(db, chatFlowId, version)
  if (!found) return null
  const flow = readFlow(found.definition)
  known.set(key, flow)
  return flow
}

/** Stale key that makes all processes drop a tenant's cached versions, after ids in them changed. */
export const VERSIONS = 'flowVersions'

/** Drops cached versions when they are reported stale, or reports may have been missed. */
export function rereadStaleVersions(platform: Platform): void {
  platform.bus.onStale((what) => {
    if (what.startsWith(`${VERSIONS} `)) versions.delete(platform)
  })
  platform.bus.onMissed(() => void versions.delete(platform))
}

/** Returns the draft of a flow. */
export const documentIn = ({ definition }: Pick<FlowRecord, 'definition'>): FlowDocument => definition
