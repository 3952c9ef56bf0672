import type { FastifyRequest } from 'fastify'
import { fail } from '#kit/errors.ts'
import type { Platform } from '../platform.ts'
import type { StoredFile } from '../storage.ts'
import { countBytes, FORM_BYTES } from './bodies.ts'
import { endSlowForm } from './pace.ts'

/** Maximum number of files per request and of bytes per file. */
export type UploadLimits = { readonly maxFiles: number; readonly maxBytes: number }

// The longest text beside files is a message of 65,536 letters of up to four bytes.
const FIELD_BYTES = 300_000
const FIELDS = 30
/** Limits of visitors' forms: the longest field is a caption of 4,096 letters. */
const FEW = { fields: 8, fieldSize: 20_000 }

/**
 * Reads a multipart request for one tenant and passes its texts and waiting files to `work`. Files that `work` did not
 * commit are deleted afterwards, and all of them if a limit is exceeded (413) or a type refused (415).
 */
export async function withUpload<T>(
  platform: Platform,
  request: FastifyRequest,
  { tenantId, maxFiles, maxBytes, isStranger = false }: UploadLimits & { tenantId: number; isStranger?: boolean },
  work: (fields: Record<string, unknown>, files: StoredFile[]) => Promise<T> | T,
): Promise<T> {
  const fields: Record<string, unknown> = {}
  const files: StoredFile[] = []
  const texts = isStranger ? FEW : { fields: FIELDS, fieldSize: FIELD_BYTES }
  const limits = { files: maxFiles, fileSize: maxBytes + 1, ...texts }
  const holding = countBytes(request, platform.env, FORM_BYTES)
  const stopWatch = endSlowForm(request)
  let textBytes = 0
  const read = async () => {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') {
        const options = { name: part.filename ?? '', maxBytes, now: platform.now() }
        const file = await platform.storage.save(tenantId, part.file, options)
        files.push(await platform.storage.prepare(tenantId, file, options))
        continue
      }
      textBytes += String(part.value).length
      if (part.valueTruncated || textBytes > 2 * FIELD_BYTES)
        fail('ERR_FILE_TOO_LARGE', { [part.fieldname]: 'O texto é longo demais.' })
      // Browsers write line ends of form texts as CRLF, whatever the page had.
      fields[part.fieldname] = typeof part.value === 'string' ? part.value.replaceAll('\r\n', '\n') : part.value
    }
  }
  try {
    await read().catch(explain).finally(stopWatch)
    return await work(fields, files)
  } finally {
    holding.free()
    // What was not read would block the connection's next request.
    request.raw.unpipe().resume()
    await platform.storage.discard(files)
  }
}

// The form parser throws plain errors for invalid forms; errors of the disk and our own have a code.
function explain(error: Error): never {
  if (error.constructor !== Error || 'code' in error) throw error
  return fail('ERR_VALIDATION', { pedido: 'O formulário não pôde ser lido.' })
}
