import { createHash } from 'node:crypto'
import type { proto } from 'baileys'
import { pollOf } from '#domain/messages/data.ts'
import type { Outbound } from '../port.ts'
import type { Library } from './library.ts'

const sha256 = (text: string) => createHash('sha256').update(text)

/** Returns the secret with which votes in a poll of ours are encrypted, derived from the message id. */
export const secretOf = (messageId: string): Buffer => sha256(`poll ${messageId}`).digest()

/**
 * Returns the options of a poll of ours that a vote names, by the hashes of their texts; null if it cannot be decrypted.
 * `creators` and `voters`: possible addresses of both on the voter's device.
 */
export function votedFor(
  { decryptPollVote }: Pick<Library, 'decryptPollVote'>,
  { messageId, data }: Pick<Outbound, 'messageId' | 'data'>,
  vote: proto.Message.IPollUpdateMessage,
  { creators, voters }: { creators: readonly string[]; voters: readonly string[] },
): readonly string[] | null {
  const poll = pollOf(data)
  const about = { pollEncKey: secretOf(messageId), pollMsgId: vote.pollCreationMessageKey?.id ?? '' }
  for (const pollCreatorJid of creators)
    for (const voterJid of voters)
      try {
        const { selectedOptions } = decryptPollVote(vote.vote ?? {}, { ...about, pollCreatorJid, voterJid })
        const named = new Set(selectedOptions?.map((hash) => Buffer.from(hash).toString('hex')))
        return poll?.options.filter((option) => named.has(sha256(option).digest('hex'))) ?? null
      } catch {
        // Tries the next address.
      }
  return null
}
