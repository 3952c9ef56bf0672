import { Readable } from 'node:stream'
import { AppError, type ErrorCode, fail } from '#kit/errors.ts'
import { outboundStream } from '../outbound.ts'
import type { Platform } from '../platform.ts'
import type { StoredFile } from '../storage.ts'

const MOST_BYTES = 100 * 1024 * 1024
const FETCH_MS = 120_000

/** Fetches a file by its address for `work`; removes it afterwards unless `work` keeps it. Fails with ERR_FILE_FETCH. */
export async function withFetched<T>(
  platform: Platform,
  tenantId: number,
  url: string,
  work: (file: StoredFile) => Promise<T>,
  maxBytes = MOST_BYTES,
): Promise<T> {
  const refusal = (error: unknown): never => {
    if (error instanceof AppError && (error.code satisfies ErrorCode) !== 'ERR_OUTSIDE_CALL') throw error
    return fail('ERR_FILE_FETCH')
  }
  const answer = await outboundStream({ allow: platform.env.OUTBOUND_ALLOW }, url, { answerMs: FETCH_MS }).catch(
    refusal,
  )
  if (answer.status !== 200) {
    answer.body.destroy()
    fail('ERR_FILE_FETCH', { mediaUrl: `O endereço respondeu ${answer.status}.` })
  }
  const name = decodedName(URL.parse(url)?.pathname.split('/').at(-1) ?? '') || 'arquivo'
  return withStored(platform, tenantId, answer.body, { name, maxBytes }, work)
}

/** Stores bytes for `work`; removes them afterwards unless `work` keeps them. */
export const withBytes = <T>(
  platform: Platform,
  tenantId: number,
  { bytes, name }: { bytes: Buffer; name: string },
  work: (file: StoredFile) => Promise<T>,
): Promise<T> => withStored(platform, tenantId, Readable.from([bytes]), { name, maxBytes: MOST_BYTES }, work)

async function withStored<T>(
  { storage, now }: Platform,
  tenantId: number,
  source: Readable,
  limits: { readonly name: string; readonly maxBytes: number },
  work: (file: StoredFile) => Promise<T>,
): Promise<T> {
  const options = { ...limits, now: now() }
  const saved = await storage.save(tenantId, source, options)
  const file = await storage.prepare(tenantId, saved, options)
  try {
    return await work(file)
  } finally {
    await storage.discard([file])
  }
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
