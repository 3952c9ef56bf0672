import { z } from 'zod'
import { fail } from '#kit/errors.ts'
import { uuid } from '#kit/fields.ts'
import { requestInfo } from '#server/http/route.ts'
import type { Parts } from '#server/parts.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import { WEBCHAT_MAX_FILE } from '../contract.ts'
import { takeFile } from './conversation.ts'
import { visitorOf } from './visitors.ts'

const form = z.strictObject({ idFront: uuid, caption: z.string().trim().max(4096).default('') })

/**
 * `POST /api/webchat/upload`: one file of the visitor with `idFront` and `caption`, multipart. Not an operation of the
 * contract, because whose store the file goes to is known by the visitor's token alone; it answers as `webchat.send`.
 */
export function serveUpload(platform: Platform, { http }: Parts): void {
  http.post('/api/webchat/upload', async (request, reply) => {
    const visitor = await visitorOf(platform, requestInfo(request, reply).bearer)
    await platform.limits.use('widget', visitor.visitorId)
    if (!request.isMultipart()) fail('ERR_VALIDATION', { file: 'Anexe um arquivo.' })
    const fields: Record<string, unknown> = {}
    let file: StoredFile | undefined
    const limits = { files: 1, fileSize: WEBCHAT_MAX_FILE + 1, fields: 4, fieldSize: 20_000 }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') fields[part.fieldname] = part.value
      else {
        const options = { name: part.filename, maxBytes: WEBCHAT_MAX_FILE, now: platform.now() }
        file = await platform.storage.save(visitor.tenantId, part.file, options)
      }
    }
    if (!file) return fail('ERR_VALIDATION', { file: 'Anexe um arquivo.' })
    return reply.send(await takeFile(platform, visitor, { ...form.parse(fields), file }))
  })
}
