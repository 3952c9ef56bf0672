import { SKIP_REASONS } from '#domain/campaigns/eligibility.ts'
import { ownMember } from '#domain/keys.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { loadContacts, serializeContact } from '#features/contacts/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { errorText } from '#kit/errors.ts'
import type { Queryable } from '#server/db/db.ts'
import { fileUrl } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import type { campaigns } from '../contract.ts'
import type { DispatchRecord } from './queries.ts'
import type { ItemRecord } from './queries-items.ts'

type Asking = { readonly platform: Platform; readonly tenantId: number }

/** Converts a stored dispatch into the response format. */
export function serializeCampaign({ platform, tenantId }: Asking, row: DispatchRecord): Returned<typeof campaigns.get> {
  const { messages, fileId, fileMime, fileName, counts } = row
  const [one, two, three] = messages
  const { waiting = 0, queued = 0, sent = 0, delivered = 0, read = 0, failed = 0, uncertain = 0, skipped = 0 } = counts
  return {
    ...{ id: row.id, name: row.name, status: row.status, start: row.startAt, delay: row.delay },
    ...{ sessionId: row.connectionId, sessionName: row.connectionName ?? '', channel: row.connectionType ?? '' },
    ...{ message1: one?.body ?? '', message2: two?.body ?? '', message3: three?.body ?? '' },
    weights: [one?.weight ?? 0, two?.weight ?? 0, three?.weight ?? 0],
    template: row.template,
    mediaUrl: fileId && fileName ? fileUrl(platform, tenantId, fileId, fileName) : null,
    mediaType: fileMime ? typeOfMime(fileMime) : null,
    mediaName: fileName,
    ...{ windowStart: row.windowStart, windowEnd: row.windowEnd, weekdays: [...row.weekdays] },
    ...{ skipsHolidays: row.skipsHolidays, purpose: row.purpose, perWeek: row.perWeek, skipsOpen: row.skipsOpen },
    ...{ replyQueueId: row.replyQueueId, replyTagId: row.replyTagId, replyFlowId: row.replyFlowId },
    ...{ recurrence: row.recurrence, followUp: row.followUp, followsId: row.followsUp ? row.parentId : null },
    ...{ userId: row.userId, userName: row.userName ?? '', pauseReason: row.pauseReason, waitsUntil: row.waitsUntil },
    contactsCount: waiting + queued + sent + delivered + read + failed + uncertain + skipped,
    ...{ waiting, queued, sent, delivered, read, failed, uncertain, skipped },
    ...{ replied: counts.replied ?? 0, optedOut: counts.optedOut ?? 0, clicked: counts.clicked ?? 0 },
    ...{ startedAt: row.startedAt, finishedAt: row.finishedAt, createdAt: row.createdAt, updatedAt: row.updatedAt },
  }
}

/** Returns the sentence of a skip or failure reason. */
const reasonText = (reason: string): string =>
  ownMember(SKIP_REASONS, reason) ?? (reason === '' ? '' : errorText(reason))

/** Converts recipients into the response form, with their contacts. */
export async function serializeItems(
  { db, platform }: { readonly db: Queryable; readonly platform: Platform },
  items: readonly ItemRecord[],
): Promise<Returned<typeof campaigns.contacts>['contacts']> {
  const ids = items.map(({ contactId }) => contactId)
  const contacts = new Map((await loadContacts(db, ids)).map((row) => [row.id, row]))
  return items.flatMap(({ contactId, variant, reason, ...item }) => {
    const contact = contacts.get(contactId)
    if (!contact) return []
    const { name, number, profilePicUrl } = serializeContact(platform, contact)
    return [{ ...item, contactId, name, number, profilePicUrl, message: variant + 1, reason: reasonText(reason) }]
  })
}
