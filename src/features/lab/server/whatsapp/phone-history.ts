import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { proto } from 'baileys'
import { type Account, jidOf } from './directory.ts'
import type { MediaHost } from './media.ts'
import { SERVER } from './nodes.ts'

/** Earlier message stored on a phone. */
export type StoredMessage = {
  readonly id: string
  readonly fromMe: boolean
  readonly body: string
  /** Author, in a group. */
  readonly participant?: string
  /** Time in epoch seconds. */
  readonly timestamp: number
}

/** Earlier messages of a phone, by the address of the conversation. */
export type StoredConversations = ReadonlyMap<string, readonly StoredMessage[]>

const { HistorySyncType } = proto.HistorySync

/** Builds a part of a phone's history for linked devices, embedded in the message. */
function historyPart(sync: proto.IHistorySync): proto.IMessage {
  const bytes = deflateSync(proto.HistorySync.encode(sync).finish())
  const { progress = 100 } = sync
  const part = { syncType: Number(sync.syncType), progress, chunkOrder: 1, initialHistBootstrapInlinePayload: bytes }
  const type = proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION
  return { protocolMessage: { type, historySyncNotification: part } }
}

/** Builds a part of the history that has to be downloaded. */
export function remotePart(media: MediaHost): proto.IMessage {
  const directPath = media.put(randomBytes(64))
  const part = { syncType: HistorySyncType.RECENT, progress: 100, chunkOrder: 1, directPath }
  const keys = { mediaKey: randomBytes(32), fileSha256: randomBytes(32), fileEncSha256: randomBytes(32) }
  const type = proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION
  return { protocolMessage: { type, historySyncNotification: { ...part, ...keys } } }
}

const conversation = (jid: string, messages: readonly StoredMessage[]): proto.IConversation => ({
  id: jid,
  messages: messages.map(({ id, fromMe, body, participant, timestamp }) => ({
    message: {
      key: { remoteJid: jid, fromMe, id, ...(participant ? { participant } : {}) },
      message: { conversation: body },
      messageTimestamp: timestamp,
      status: proto.WebMessageInfo.Status.READ,
    },
  })),
})

/** Returns the messages that a phone sends to a newly linked device: app state key, LID mappings and names, conversations. */
export function welcomeMessages(accounts: readonly Account[], saved: StoredConversations): proto.IMessage[] {
  const open = accounts.filter(({ isHidden }) => !isHidden)
  const mappings = open.map((one) => ({ lidJid: jidOf(one, 'lid'), pnJid: jidOf(one, SERVER) }))
  const names = accounts.map((one) => ({ id: jidOf(one, one.isHidden ? 'lid' : SERVER), pushname: one.name }))
  const conversations = [...saved].map(([jid, messages]) => conversation(jid, messages))
  const key = { keyId: { keyId: randomBytes(6) }, keyData: { keyData: randomBytes(32), timestamp: 1 } }
  const { APP_STATE_SYNC_KEY_SHARE } = proto.Message.ProtocolMessage.Type
  return [
    { protocolMessage: { type: APP_STATE_SYNC_KEY_SHARE, appStateSyncKeyShare: { keys: [key] } } },
    historyPart({
      syncType: HistorySyncType.INITIAL_BOOTSTRAP,
      conversations: [],
      phoneNumberToLidMappings: mappings,
    }),
    historyPart({ syncType: HistorySyncType.PUSH_NAME, conversations: [], pushnames: names }),
    historyPart({ syncType: HistorySyncType.RECENT, conversations, progress: 100 }),
  ]
}

/** Maximum number of messages that a phone returns at once. */
const MOST_AT_ONCE = 50

/** Returns the answer to a device's request for messages before another one. */
export function olderMessages(
  saved: StoredConversations,
  asked: proto.Message.PeerDataOperationRequestMessage.IHistorySyncOnDemandRequest,
): proto.IMessage {
  const jid = asked.chatJid!
  const messages = saved.get(jid) ?? []
  const end = messages.findIndex(({ id }) => id === asked.oldestMsgId)
  const count = Math.min(MOST_AT_ONCE, asked.onDemandMsgCount ?? MOST_AT_ONCE)
  const older = messages.slice(0, end < 0 ? messages.length : end).slice(-count)
  return historyPart({ syncType: HistorySyncType.ON_DEMAND, conversations: [conversation(jid, older)], progress: 100 })
}
