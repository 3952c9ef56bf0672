import { PROGRAM } from '#domain/messages/types.ts'
import { fail } from '#kit/errors.ts'
import type { Feature } from '#server/feature.ts'
import { findFile } from '#server/files/queries.ts'
import { readClaim } from '#server/signed-claims.ts'
import { errors } from '../errors.ts'
import { openMails } from './mails.ts'
import { encoded } from './names.ts'

// Types shown in the page; others are downloaded and never rendered on our origin.
const inline = /^(image\/(?!svg)|audio\/|video\/|application\/pdf$)/

/** Server part of the feature `files`: file downloads; the signed URL is the permission. */
export const filesFeature: Feature = {
  name: 'files',
  errors,
  attach(platform, { http }) {
    http.get<{ Params: { claim: string; name: string } }>('/api/files/:claim/:name', async (request, reply) => {
      const { tenantId, id } = readClaim(platform, 'file', request.params.claim)
      const file = await platform.db.read(tenantId, (db) => findFile(db, id))
      if (!file) return fail('ERR_NOT_FOUND')
      const etag = `"${file.sha256}"`
      const size = await platform.storage.size(file.path)
      const range = parseRange(request.headers.range, size)
      if (range === 'unsatisfiable') {
        reply.header('content-range', `bytes */${size}`)
        return fail('ERR_RANGE')
      }
      reply.headers({
        'content-type': file.mime === PROGRAM ? 'application/octet-stream' : file.mime,
        'content-disposition': `${inline.test(file.mime) ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded(file.name)}`,
        'content-security-policy':
          "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'",
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'private, max-age=3600, immutable',
        'accept-ranges': 'bytes',
        etag,
      })
      if (request.headers['if-none-match'] === etag) return reply.status(304).send()
      if (!range) return reply.header('content-length', size).send(platform.storage.read(file.path))
      return reply
        .status(206)
        .headers({
          'content-range': `bytes ${range.start}-${range.end}/${size}`,
          'content-length': range.end - range.start + 1,
        })
        .send(platform.storage.read(file.path, range))
    })
    openMails(platform, http)
  },
}

/** Parses a single byte range; null for none, several or an invalid one, which are answered with the whole file. */
export function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  if (match[1] !== '' && match[2] !== '' && Number(match[1]) > Number(match[2])) return null
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1])
  const end = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return start >= size ? 'unsatisfiable' : { start, end }
}
