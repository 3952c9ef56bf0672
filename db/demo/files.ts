import { createReadStream } from 'node:fs'
import { type DemoFile, demoMedia } from '#db/demo/media.ts'
import type { DemoCompany } from '#db/demo/part.ts'
import { checkout } from '#server/checkout.ts'
import { uuidv7 } from '#server/ids.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'

/** Stores a file of the demo in a company, once for each entry of `files`; returns its id. */
export async function storeFile(
  {
    platform,
    db,
    tenantId,
    files,
  }: Pick<DemoCompany, 'platform' | 'db' | 'tenantId'> & { files: Map<string, StoredFile> },
  name: DemoFile,
  shownName: string = name,
): Promise<string> {
  const file = files.get(name) ?? (await read(platform, tenantId, name))
  files.set(name, file)
  const description = demoMedia[name]
  const { sha256, path, mime, size, width, height } = file
  const id = uuidv7()
  await db
    .insertInto('files')
    .values({
      ...{ tenant_id: tenantId, id, sha256, path, name: shownName, mime, size, width, height },
      duration_ms: description.kind === 'audio' ? description.seconds * 1000 : null,
    })
    .execute()
  return id
}

async function read({ storage, now }: Platform, tenantId: number, name: string): Promise<StoredFile> {
  const source = createReadStream(new URL(`db/demo/media/${name}`, checkout))
  const file = await storage.save(tenantId, source, { name, maxBytes: 10_000_000, now: now() })
  await storage.commit(file)
  await storage.discard([file])
  return file
}
