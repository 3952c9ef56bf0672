import { Readable } from 'node:stream'
import { AppError } from '#kit/errors.ts'
import { SMALL_PICTURES, smallPicture } from '#server/media/small-picture.ts'
import { type OutboundAnswer, type OutboundRequest, outboundFetch } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import type { PageInfo } from './page.ts'

const ANSWER_MS = 6000
const CONNECT_MS = 3000
/** Maximum size of a page in bytes; its metadata is at the beginning. */
const PAGE_BYTES = 1024 * 1024
const PICTURE_BYTES = 4 * 1024 * 1024
/** Side length of a picture in pixels: twice the displayed size, for high-density screens. */
const PICTURE_SIDE = 192
const AGENT = 'Guiche/1 (cartao de link)'

/** Metadata of a page, with its small picture as a file to store. */
export type FetchedPage = PageInfo & { file: StoredFile | null }

/** Fetches the metadata of a page anonymously (decision B21); null if unavailable. The receiver of the file discards it. */
export async function fetchPage(platform: Platform, tenantId: number, url: string): Promise<FetchedPage | null> {
  const answer = await ask(platform, url, {
    headers: { accept: 'text/html,application/xhtml+xml', 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.5' },
    maxBytes: PAGE_BYTES,
    tooLong: 'cut',
  })
  if (!answer) return null
  const contentType = answer.headers['content-type'] ?? ''
  // Its parser is loaded with the first page.
  const { isPage, readPage } = await import('./page.ts')
  if (!isPage(contentType)) return null
  const info = readPage(answer.body, { url: answer.url, contentType })
  return info && { ...info, file: info.picture ? await fetchPicture(platform, tenantId, info.picture) : null }
}

/** Fetches the picture of a page, made small; null if it cannot be fetched. The caller discards the file. */
export async function fetchPicture(platform: Platform, tenantId: number, url: string): Promise<StoredFile | null> {
  const answer = await ask(platform, url, { headers: { accept: SMALL_PICTURES.join() }, maxBytes: PICTURE_BYTES })
  const small = answer && (await smallPicture(answer.body, PICTURE_SIDE))
  if (!small) return null
  const options = { name: 'pagina.webp', maxBytes: PICTURE_BYTES, now: platform.now() }
  return platform.storage.save(tenantId, Readable.from([small]), options)
}

async function ask(platform: Platform, url: string, request: OutboundRequest): Promise<OutboundAnswer | null> {
  const headers = { ...request.headers, 'user-agent': AGENT, 'accept-encoding': 'identity' }
  const limits = { connectMs: CONNECT_MS, answerMs: ANSWER_MS }
  try {
    const answer = await outboundFetch({ allow: platform.env.OUTBOUND_ALLOW }, url, { ...request, ...limits, headers })
    const { 'content-encoding': encoding = 'identity' } = answer.headers
    return answer.status === 200 && encoding === 'identity' ? answer : null
  } catch (error) {
    // If the request fails, the link has no card.
    if (error instanceof AppError) return null
    throw error
  }
}
