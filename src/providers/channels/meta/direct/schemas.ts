import { z } from 'zod'
import { flag, listOrOne, numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'
import { id } from '../schemas.ts'

/** Schema of the ad, post or link through which a contact came. */
const referral = record({
  ...{ source: text, ad_id: text },
  ads_context_data: record({ ad_title: text, photo_url: text, post_id: text }),
  product: record({ id: text }),
})
export type Referral = z.output<typeof referral>

const attachment = record({
  ...{ type: text, url: text, title: text },
  payload: record({ url: text, title: text, coordinates: record({ lat: numberOrText, long: numberOrText }) }),
})
export type Attachment = z.output<typeof attachment>

const message = record({
  ...{ mid: id, text, attachments: listOrOne(attachment) },
  quick_reply: record({ payload: text }),
  reply_to: record({ mid: id, story: record({ url: text }) }),
  referral,
  ...{ is_echo: flag, app_id: text, metadata: text, is_deleted: flag, is_unsupported: flag },
})
export type Message = z.output<typeof message>

const postback = record({ mid: id, title: text, payload: text, referral })
export type Postback = z.output<typeof postback>

/** Schema of an event in a conversation; sender or recipient is the account. */
export const happening = record({
  ...{ sender: record({ id }), recipient: record({ id }) },
  /** Milliseconds. */
  timestamp: numberOrText,
  ...{ message, postback, referral },
  message_edit: record({ mid: id, text, num_edit: numberOrText }),
  reaction: record({ mid: id, action: text, reaction: text, emoji: text }),
  read: record({ watermark: numberOrText, mid: id }),
  delivery: record({ mids: z.array(id), watermark: numberOrText }),
})
export type Happening = z.output<typeof happening>

/** Schema of a public comment on a post of an Instagram account. */
export const comment = record({ id, text, from: record({ id, username: text }), media: record({ id: text }) })
export type Comment = z.output<typeof comment>
