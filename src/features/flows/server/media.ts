import { Readable } from 'node:stream'
import { documentOf, type FlowDocument } from '#domain/flow/document.ts'
import { textOf } from '#domain/flow/json.ts'
import { embeddedContent, mapMedia, mediaIn } from '#domain/flow/media.ts'
import { AppError } from '#kit/errors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { fileUrl, storeUpload } from '#server/files/store.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { StoredFile } from '#server/storage.ts'
import { type FlowFile, findFlowFiles, linkFiles } from './queries-media.ts'

const MOST_BYTES = 16 * 1024 * 1024
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Uploaded files not yet stored in the database, by their text in a document. */
export type WaitingFiles = ReadonlyMap<string, StoredFile>

/**
 * Extracts the files embedded in a document for the duration of `work`. A file that cannot be extracted stays in the
 * document.
 */
export async function withEmbedded<T>(
  { platform, tenantId, now }: SlowCtx,
  given: unknown,
  work: (files: WaitingFiles) => Promise<T>,
): Promise<T> {
  const document = documentOf(given)
  const files = new Map<string, StoredFile>()
  try {
    for (const fields of typeof document === 'string' ? [] : mediaIn(document)) {
      const content = embeddedContent(fields)
      if (content === null || files.has(content)) continue
      const source = Readable.from([Buffer.from(content, 'base64')])
      const options = { name: textOf(fields['name']), maxBytes: MOST_BYTES, now }
      const file = await platform.storage.save(tenantId, source, options).catch((error: unknown) => {
        if (error instanceof AppError) return null
        throw error
      })
      if (file) files.set(content, file)
    }
    return await work(files)
  } finally {
    await platform.storage.discard([...files.values()])
  }
}

/** Stores the files of a flow's draft and replaces them in the document by their ids. */
export async function saveMedia(
  ctx: Ctx,
  flowId: number,
  document: FlowDocument,
  files: WaitingFiles,
): Promise<FlowDocument> {
  const stored = new Map<string, string>()
  for (const [content, file] of files) stored.set(content, await storeUpload(ctx, file))
  await linkFiles(ctx.db, flowId, [...stored.values()])
  const named = mapMedia(document, (fields) => {
    const content = embeddedContent(fields)
    const fileId = content === null ? undefined : stored.get(content)
    const { media: _, ...rest } = fields
    return fileId === undefined ? null : { ...rest, fileId }
  })
  // Includes files of the company's other flows, and of earlier versions.
  const known = await filesIn(ctx.db, named)
  await linkFiles(
    ctx.db,
    flowId,
    known.map(({ id }) => id),
  )
  return named
}

/** Returns the ids of files in a document. */
const fileIdsIn = (document: FlowDocument): string[] =>
  mediaIn(document).flatMap((fields) => {
    const id = textOf(fields['fileId'])
    return UUID.test(id) ? [id] : []
  })

/** Returns the files in a document that belong to flows. */
export const filesIn = (db: Queryable, document: FlowDocument): Promise<FlowFile[]> =>
  findFlowFiles(db, fileIdsIn(document))

/** Returns the files that a draft sends, with links. */
export async function filesOf(
  { db, platform, tenantId }: Pick<ReadCtx, 'db' | 'platform' | 'tenantId'>,
  document: FlowDocument,
) {
  const found = await filesIn(db, document)
  return found.map(({ id, name, mime, size }) => ({
    fileId: id,
    name,
    type: mime,
    size,
    url: fileUrl(platform, tenantId, id, name),
  }))
}

/** Stores a file uploaded for a flow. */
export async function addMedia(ctx: Ctx, flowId: number, file: StoredFile) {
  const fileId = await storeUpload(ctx, file)
  await linkFiles(ctx.db, flowId, [fileId])
  const { name, mime: type, size } = file
  return { fileId, name, type, size, url: fileUrl(ctx.platform, ctx.tenantId, fileId, name) }
}
