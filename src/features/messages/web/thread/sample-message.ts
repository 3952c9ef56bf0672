import { ackOf } from '#domain/messages/status.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'

let serial = 0

/** Creates a received text message with a unique id, for tests. */
export function messageRow(parts: Partial<MessageRow> = {}): MessageRow {
  const seq = parts.seq ?? ++serial
  const status = parts.status ?? 'received'
  return {
    id: `00000000-0000-7000-8000-${String(++serial).padStart(12, '0')}`,
    seq,
    ticketId: 1,
    contactId: 1,
    idFront: null,
    body: `mensagem ${seq}`,
    mediaType: 'text',
    mediaName: null,
    mediaUrl: null,
    file: null,
    data: null,
    fromMe: false,
    isNote: false,
    userId: null,
    userName: null,
    status,
    ack: ackOf(status),
    errorCode: null,
    sendType: 'chat',
    timestamp: seq,
    createdAt: new Date(parts.timestamp ?? seq).toISOString(),
    scheduleDate: null,
    quotedMsgId: null,
    quotedMsg: null,
    isDeleted: false,
    isLate: false,
    edition: null,
    reaction: null,
    reactionFromMe: null,
    acts: [],
    sendAt: null,
    syncTime: null,
    sender: null,
    mentions: null,
    albumId: null,
    linkCard: null,
    ...parts,
  }
}
