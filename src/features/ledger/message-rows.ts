import { z } from 'zod'
import { maskName, maskValue } from '#domain/access/restricted.ts'
import { ACT_TYPES } from '#domain/messages/acts.ts'
import { cardOf } from '#domain/messages/data.ts'
import { type GroupEvent, type GroupPerson, groupEventOf } from '#domain/messages/group-event.ts'
import { mailOf } from '#domain/messages/mail.ts'
import { MESSAGE_STATUSES } from '#domain/messages/status.ts'
import { MESSAGE_TYPES } from '#domain/messages/types.ts'
import { epochMs, isoTime, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import { quotation } from './draft-fields.ts'
import { messageFile } from './file-contract.ts'
import { maskMail } from './mask-mail.ts'

const status = z.enum(MESSAGE_STATUSES)

// A card contains a name and number; group events name members.
const maskData = (data: unknown): unknown => {
  const event = groupEventOf(data)
  if (event) return maskEvent(event)
  const mail = mailOf(data)
  if (mail) return { mail: maskMail(mail) }
  const card = cardOf(data)
  return card ? { fullName: maskName(card.fullName), phoneNumber: maskValue(card.phoneNumber) } : data
}

const maskPerson = ({ id, name }: GroupPerson): GroupPerson => ({ id, name: maskName(name) })
const maskEvent = ({ change, people, by, subject }: GroupEvent): GroupEvent => ({
  ...{ change, people: people.map(maskPerson), by: by && maskPerson(by) },
  ...(subject === undefined ? {} : { subject: maskName(subject) }),
})

/** Our act on a message that the channel has not taken yet, or has refused. */
const openAct = z.object({
  id: uuid,
  type: z.enum(ACT_TYPES),
  body: z.string().nullable(),
  emoji: z.string().nullable(),
  status: z.enum(['pending', 'failed']),
})

/** Schema of a message of a conversation (specification §3, product facts 3.2). Internal notes are messages with `isNote`. */
export const messageRow = z.object({
  id: uuid,
  seq: z.number().int(),
  ticketId: z.number().int(),
  contactId: z.number().int(),
  idFront: z.string().nullable(),
  body: z.string(),
  mediaType: z.enum(MESSAGE_TYPES),
  mediaName: z.string().nullable(),
  mediaUrl: z.string().nullable(),
  file: messageFile.nullable(),
  /**
   * Data of a contact card, location, buttons, list or pressed row, link, form, poll, or of a file that is view once
   * (`viewOnce`) or not here yet (`remote`).
   */
  data: hidden(z.unknown(), maskData),
  fromMe: z.boolean(),
  isNote: z.boolean(),
  userId: z.number().int().nullable(),
  userName: z.string().nullable(),
  status,
  ack: z.number().int(),
  errorCode: z.string().nullable(),
  sendType: z.string(),
  timestamp: epochMs,
  createdAt: isoTime,
  scheduleDate: isoTime.nullable(),
  quotedMsgId: uuid.nullable(),
  quotedMsg: quotation.nullable(),
  isDeleted: z.boolean(),
  isLate: z.boolean(),
  edition: z.string().nullable(),
  reaction: z.string().nullable(),
  reactionFromMe: z.string().nullable(),
  acts: z.array(openAct),
  /** Time until which the message waits on the server, scheduled or while it can be undone; null: sent, or about to be. */
  sendAt: isoTime.nullable(),
  /** Time of its import from the channel's older conversations; null: received or sent live. */
  syncTime: isoTime.nullable(),
  /** Author within a group; null for every other message. */
  sender: z
    .object({
      id: z.number().int(),
      name: hidden(z.string(), maskName),
      number: hidden(z.string().nullable(), maskValue),
    })
    .nullable(),
  /** Mentions of a group message: names behind an `@` in the text; everyone as `@todos` (shown) or unwritten (hidden). */
  mentions: z
    .object({ people: z.array(hidden(z.string(), maskName)), everyone: z.enum(['shown', 'hidden']).nullable() })
    .nullable(),
  /** Common id of the pictures and films of one album. */
  albumId: z.string().nullable(),
  /** Preview of the page behind the first link of its text; null: no link, or nothing known (yet). */
  linkCard: z
    .object({
      url: z.string(),
      title: z.string(),
      description: z.string(),
      site: z.string(),
      /** Small square picture, as a signed link. */
      picture: z.string().nullable(),
    })
    .nullable(),
})

/** Message in the form for browsers. */
export type MessageRow = z.output<typeof messageRow>
