import { LRUCache } from 'lru-cache'
import type { FlowDocument } from '#domain/flow/document.ts'
import type { Flow } from '#domain/flow/flow.ts'
import { readFlow } from '#domain/flow/read.ts'
import type { ReadCtx } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { type FlowRecord, findVersion } from './queries.ts'

/** Versions never change but for a tag that was merged: those that conversations follow are read once. */
const versions = new WeakMap<Platform, LRUCache<string, Flow>>()
const MOST_VERSIONS = 200

/** A published version as the engine reads it; null where there is none. */
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

/** Has every process read the versions of a company anew: what they name has another id. */
export const VERSIONS = 'flowVersions'

/** Drops what is kept of versions when it is said to be stale, and whatever was missed. */
export function rereadStaleVersions(platform: Platform): void {
  platform.bus.onStale((what) => {
    if (what.startsWith(`${VERSIONS} `)) versions.delete(platform)
  })
  platform.bus.onMissed(() => void versions.delete(platform))
}

/** The draft of a flow. */
export const documentIn = ({ definition }: Pick<FlowRecord, 'definition'>): FlowDocument => definition
