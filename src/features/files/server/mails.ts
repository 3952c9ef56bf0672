import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { fail } from '#kit/errors.ts'
import { readMailFile } from '#providers/channels/adapters.ts'
import { kindOf, SNIFFED_BYTES } from '#server/file-kind.ts'
import { findFile } from '#server/files/queries.ts'
import type { Platform } from '#server/platform.ts'
import { readClaim } from '#server/signed-claims.ts'
import type { MailInFile } from '../mail-file.ts'
import { attachmentName } from './names.ts'

/** Maximum size of a mail that is parsed, since parsing takes several times its size in memory. */
const MOST_BYTES = 36_000_000

/**
 * Serves mails stored as files: their plain text, and their attachments as downloads. The signed URL of the file is the
 * permission for both.
 */
export function openMails(platform: Platform, http: FastifyInstance): void {
  // Parses one mail at a time: several large ones would exhaust the memory.
  let last: Promise<unknown> = Promise.resolve()
  async function opened(claim: string) {
    const { tenantId, id } = readClaim(platform, 'file', claim)
    const file = await platform.db.read(tenantId, (db) => findFile(db, id))
    if (file?.mime !== 'message/rfc822') return fail('ERR_NOT_FOUND')
    const size = await platform.storage.size(file.path)
    if (size > MOST_BYTES) return fail('ERR_FILE_TOO_LARGE', { maxBytes: MOST_BYTES })
    const mail = last.then(async () => readMailFile(await buffer(platform.storage.read(file.path))))
    last = mail.catch(() => {})
    return mail
  }

  http.get<{ Params: { claim: string } }>('/api/files/:claim/:name/mail', async ({ params }, reply) => {
    const { subject, from, to, cc, text, quoted, writtenAt, files } = await opened(params.claim)
    const kinds = await Promise.all(files.map(({ bytes, name }) => kindOf(bytes.subarray(0, SNIFFED_BYTES), name)))
    const shown: MailInFile = {
      ...{ subject, from, to, cc, text, quoted, writtenAt },
      files: files.map(({ name, bytes }, at) => ({
        ...{ name: kinds[at]?.name ?? name, size: bytes.length, isTaken: kinds[at] !== null },
      })),
    }
    return reply.header('cache-control', 'private, no-store').send(shown)
  })

  http.get<{ Params: { claim: string; at: string } }>('/api/files/:claim/:name/mail/:at', async ({ params }, reply) => {
    const part = (await opened(params.claim)).files[Number(params.at)]
    if (!part) return fail('ERR_NOT_FOUND')
    const kind = await kindOf(part.bytes.subarray(0, SNIFFED_BYTES), part.name)
    if (!kind) return fail('ERR_FILE_TYPE')
    return reply
      .headers({
        'content-type': 'application/octet-stream',
        'content-disposition': attachmentName(kind.name),
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, no-store',
      })
      .send(Buffer.from(part.bytes))
  })
}
