import type { BinaryNode, WASocket } from 'baileys'
import { fieldIn } from '#domain/keys.ts'
import type { ChannelTools, ProviderEvent } from '../port.ts'
import { conversationOf, jidOf, numbered } from '../whatsapp-addresses.ts'
import { caOf } from './network.ts'

const ANSWER_MS = 10_000
const MOST_BYTES = 2 * 1024 * 1024
/** Hosts of pictures; another server (`WHATSAPP_WEB_URL`) has its own. */
const HOST = /(^|\.)whatsapp\.net$/
/** Error codes of a picture that is missing or hidden from us. */
const NONE = new Set([401, 403, 404])

/** Returns the picture of a person or group; null if there is none, or it is hidden from us. */
export async function pictureOf(
  socket: WASocket,
  { stream, environment }: Pick<ChannelTools, 'stream' | 'environment'>,
  identity: string,
): Promise<Uint8Array | null> {
  const address = await socket.profilePictureUrl(jidOf(identity), 'image', ANSWER_MS).catch((error: unknown) => {
    if (NONE.has(Number(fieldIn(error, 'data')))) return undefined
    throw error
  })
  if (!address) return null
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' || !(environment['WHATSAPP_WEB_URL'] || HOST.test(hostname)))
    throw new Error('a picture that is somewhere else')
  const answer = await stream(address, { answerMs: ANSWER_MS, ca: caOf(environment) })
  if (answer.status !== 200) {
    answer.body.destroy()
    if (NONE.has(answer.status) || answer.status === 410) return null
    throw new Error(`a picture: ${answer.status}`)
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('a picture that is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the event of a picture notification; `numberOf` returns the number of a LID. */
export async function pictureEvents(
  { attrs: { type, id, t, from } }: BinaryNode,
  numberOf: (lid: string) => Promise<string | null>,
): Promise<ProviderEvent[]> {
  if (type !== 'picture' || !from) return []
  const number = from.endsWith('@lid') ? await numberOf(from) : null
  const conversationKey = conversationOf(numbered(from, number))
  return [{ type: 'picture', dedupeKey: `${id} ${t} picture`, conversationKey, timestamp: Number(t) * 1000 }]
}
