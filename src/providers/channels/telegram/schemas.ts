import { z } from 'zod'
import { flag, numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'

/** Schema of an id, given as text or number. */
const id = text.refine((given) => given !== '' && given.length <= 100)

const user = record({ id, first_name: text, last_name: text })
export type User = z.output<typeof user>

const chat = record({ id, type: text, title: text })
export type Chat = z.output<typeof chat>

const file = record({
  ...{ file_id: id, file_unique_id: id, file_size: numberOrText, file_name: text, mime_type: text, title: text },
  ...{ duration: numberOrText, width: numberOrText, height: numberOrText, length: numberOrText },
})
export type Filed = z.output<typeof file>

const entities = z.array(record({ type: text, offset: numberOrText, length: numberOrText, url: text }))
const location = record({ latitude: numberOrText, longitude: numberOrText })

const content = {
  ...{ text, entities, caption: text, caption_entities: entities },
  photo: z.array(file),
  ...{ animation: file, video: file, video_note: file, audio: file, voice: file, document: file },
  sticker: file.extend(record({ emoji: text, is_animated: flag, is_video: flag, thumbnail: file }).shape),
  contact: record({ phone_number: text, first_name: text, last_name: text, user_id: id, vcard: text }),
  location,
  venue: record({ location, title: text, address: text }),
  poll: record({ question: text, options: z.array(record({ text })), allows_multiple_answers: flag }),
  dice: record({ emoji: text, value: numberOrText }),
  story: record({ id, chat: record({ username: text }) }),
  checklist: record({ title: text, tasks: z.array(record({ text, completion_date: numberOrText })) }),
  web_app_data: record({ button_text: text, data: text }),
  successful_payment: record({ currency: text, total_amount: numberOrText }),
}

const message = record({
  ...content,
  message_id: id,
  ...{ from: user, sender_chat: chat, chat, date: numberOrText, edit_date: numberOrText },
  reply_to_message: record({ message_id: id, forum_topic_created: z.unknown() }),
  forward_origin: z.unknown(),
  media_group_id: id,
  ...{ new_chat_members: z.array(user), left_chat_member: user, new_chat_title: text },
  ...{ new_chat_photo: z.unknown(), delete_chat_photo: z.unknown() },
  ...{ migrate_to_chat_id: id, migrate_from_chat_id: id },
  reply_markup: record({ inline_keyboard: z.array(z.array(record({ text, callback_data: text }))) }),
})
export type Message = z.output<typeof message>

const reaction = record({
  ...{ chat, message_id: id, date: numberOrText, user },
  new_reaction: z.array(record({ type: text, emoji: text })),
})
export type Reaction = z.output<typeof reaction>

const press = record({ id, from: user, message, data: text })
export type Press = z.output<typeof press>

const membership = record({ chat, date: numberOrText, new_chat_member: record({ status: text }) })
export type Membership = z.output<typeof membership>

/** Schema of a bot's update, of the kinds that are read. */
export const telegramUpdate = record({
  update_id: id,
  ...{ message, edited_message: message, callback_query: press, message_reaction: reaction },
  my_chat_member: membership,
})

/** Schemas of the Bot API's responses, limited to the fields that are read. */
export const answers = {
  sent: record({ message_id: id, chat: record({ id }) }),
  webhook: record({ url: text }),
  me: record({ username: text, first_name: text }),
  file: record({ file_path: text }),
  photos: record({ photos: z.array(z.array(record({ file_id: id, width: numberOrText }))) }),
  chat: record({ photo: record({ small_file_id: id }) }),
  updates: z.array(z.unknown()),
}

/** Schema of an update's id, for acknowledging it. */
export const updateNumber = record({ update_id: numberOrText })
