import { z } from 'zod'
import { fail } from '#kit/errors.ts'
import { uuid } from '#kit/fields.ts'
import { readInput } from '#server/http/answer-error.ts'
import { requestInfo } from '#server/http/route.ts'
import { withUpload } from '#server/http/uploads.ts'
import type { Parts } from '#server/parts.ts'
import type { Platform } from '#server/platform.ts'
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
    const limits = { tenantId: visitor.tenantId, maxFiles: 1, maxBytes: WEBCHAT_MAX_FILE }
    return reply.send(
      await withUpload(platform, request, limits, (fields, [file]) =>
        file
          ? takeFile(platform, visitor, { ...readInput(form, fields), file })
          : fail('ERR_VALIDATION', { file: 'Anexe um arquivo.' }),
      ),
    )
  })
}
