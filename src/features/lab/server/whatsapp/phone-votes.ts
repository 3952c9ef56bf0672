import { createHash, randomBytes } from 'node:crypto'
import { aesEncryptGCM, hmacSign, proto } from 'baileys'
import { present } from '#domain/present.ts'
import { SERVER } from './nodes.ts'

/**
 * Encrypts a vote in a poll as phones do: with the poll's secret, and with the addresses of its creator and the voter as the
 * voter's phone knows them.
 */
export function voteIn(
  { id, chat, fromMe, message }: { id: string; chat: string; fromMe: boolean; message: proto.IMessage },
  { voter, creator }: { readonly voter: string; readonly creator: string },
  options: readonly string[],
): proto.IMessage {
  const sign = Buffer.concat([Buffer.from(`${id}${creator}${voter}Poll Vote`), Buffer.from([1])])
  const secret = hmacSign(present(message.messageContextInfo).messageSecret!, new Uint8Array(32), 'sha256')
  const selectedOptions = options.map((one) => createHash('sha256').update(one).digest())
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish()
  const encIv = randomBytes(12)
  const encPayload = aesEncryptGCM(plain, hmacSign(sign, secret, 'sha256'), encIv, Buffer.from(`${id}\0${voter}`))
  const participant = chat.endsWith(`@${SERVER}`) || chat.endsWith('@lid') ? {} : { participant: creator }
  const pollCreationMessageKey = { remoteJid: chat, fromMe, id, ...participant }
  return { pollUpdateMessage: { pollCreationMessageKey, vote: { encPayload, encIv } } }
}
