import { z } from 'zod'
import { flag, numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'

/** Schema of an id; its maximum length is many times that of Meta's ids. */
export const id = text.refine((given) => given !== '' && given.length <= 500)

/** Schema of the ad through which a contact came. */
const referral = record({
  ...{ source_url: text, source_type: text, source_id: text, headline: text, body: text },
  ...{ image_url: text, thumbnail_url: text },
})
export type Referral = z.output<typeof referral>

const media = record({ id, mime_type: text, caption: text, filename: text })
export type Media = z.output<typeof media>

const phone = record({ phone: text, wa_id: text })
const card = record({
  name: record({ formatted_name: text, first_name: text, last_name: text }),
  phones: z.array(phone),
  emails: z.array(record({ email: text })),
  org: record({ company: text, department: text, title: text }),
  addresses: z.array(record({ street: text, city: text, state: text, zip: text, country: text })),
  urls: z.array(record({ url: text })),
  ...{ birthday: text, vcard: text },
})
export type Card = z.output<typeof card>

const reply = record({ id: text, title: text })
const interactive = record({
  type: text,
  button_reply: reply,
  list_reply: reply,
  nfm_reply: record({ body: text, response_json: text }),
  call_permission_reply: record({ response: text }),
})
export type Interactive = z.output<typeof interactive>

const order = record({
  text,
  product_items: z.array(
    record({ product_retailer_id: text, quantity: numberOrText, item_price: numberOrText, currency: text }),
  ),
})
export type Order = z.output<typeof order>

const content = {
  type: text,
  text: record({ body: text }),
  ...{ image: media, video: media, audio: media, document: media, sticker: media },
  location: record({ latitude: numberOrText, longitude: numberOrText, name: text, address: text }),
  contacts: z.array(card),
  button: record({ text, payload: text }),
  interactive,
  order,
}
const contentOnly = record(content)
/** Content fields of a message. */
export type Content = z.output<typeof contentOnly>

/** Schema of a message; `from` is missing if the contact hides their number, and `group_id` outside of groups. */
export const metaMessage = record({
  ...content,
  ...{ id, from: id, from_user_id: id, to: id, group_id: id },
  /** Seconds. */
  timestamp: numberOrText,
  context: record({
    ...{ id, forwarded: flag, frequently_forwarded: flag },
    referred_product: record({ catalog_id: text, product_retailer_id: text }),
  }),
  reaction: record({ message_id: id, emoji: text }),
  edit: record({ original_message_id: id, message: contentOnly }),
  revoke: record({ original_message_id: id }),
  referral,
  system: record({ type: text, wa_id: id, new_wa_id: id, user_id: id, previous_user_id: id }),
})
export type MetaMessage = z.output<typeof metaMessage>

/** Schema of a Graph API error, in responses and statuses. */
export const graphError = record({
  ...{ code: numberOrText, error_subcode: numberOrText, message: text, title: text },
  error_data: record({ details: text }),
})
export type GraphError = z.output<typeof graphError>

export const metaStatus = record({
  ...{ id, status: text, timestamp: numberOrText, recipient_id: id, recipient_user_id: id, recipient_type: text },
  biz_opaque_callback_data: text,
  errors: z.array(graphError),
})
export type MetaStatus = z.output<typeof metaStatus>

/** Schema of a phone call; the event `connect` begins it. */
export const metaCall = record({
  ...{ id, from: id, from_user_id: id, event: text, direction: text, timestamp: numberOrText },
  session: record({ sdp: text }),
})
export type MetaCall = z.output<typeof metaCall>

/** Schema of a contact's new id. */
export const metaNewId = record({ wa_id: id, user_id: record({ previous: id, current: id }) })
export type MetaNewId = z.output<typeof metaNewId>

const members = z.array(record({ wa_id: id, user_id: id, username: text }))
/** Schema of a change of a group. */
export const metaGroup = record({
  ...{ group_id: id, type: text, timestamp: numberOrText, subject: text, group_subject: record({ text }) },
  ...{ added_participants: members, removed_participants: members },
})
export type MetaGroup = z.output<typeof metaGroup>

const about = z.array(record({ profile: record({ name: text }), wa_id: text, user_id: text }))
/** Profiles of the contacts that a webhook body mentions. */
export type About = z.output<typeof about>

/** Schema of a webhook body; its events are read one by one. */
export const metaBody = record({
  object: text,
  entry: z.array(
    record({
      ...{ id: text, time: numberOrText },
      changes: z.array(
        record({
          field: text,
          value: record({
            metadata: record({ phone_number_id: text }),
            contacts: about,
            messages: z.array(z.unknown()),
            message_echoes: z.array(z.unknown()),
            ...{ statuses: z.array(z.unknown()), calls: z.array(z.unknown()), groups: z.array(z.unknown()) },
            user_id_update: z.array(z.unknown()),
          }),
        }),
      ),
      messaging: z.array(z.unknown()),
      standby: z.array(z.unknown()),
    }),
  ),
})
export type MetaEntry = NonNullable<z.output<typeof metaBody>['entry']>[number]

const named = z.looseObject({ id })
const numberName = z.looseObject({ id, display_phone_number: text.optional(), verified_name: text.optional() })

/** Schemas of the Graph API's responses, limited to the fields that are read; required ones are marked so. */
export const answers = {
  named,
  sent: record({ messages: z.array(record({ id })), message_id: id }),
  media: z.looseObject({ url: text }),
  numbers: z.looseObject({ data: z.array(numberName) }),
  templateMade: z.looseObject({ id, status: text.default(''), category: text.default('') }),
  token: record({ access_token: text, expires_in: numberOrText }),
  tokenAbout: record({
    data: record({
      ...{ app_id: text, is_valid: flag, scopes: z.array(text) },
      granular_scopes: z.array(record({ scope: text, target_ids: z.array(text) })),
    }),
  }),
  numberState: record({
    ...{ display_phone_number: text, verified_name: text, name_status: text, quality_rating: text },
    ...{ messaging_limit_tier: text, status: text, code_verification_status: text },
  }),
  profiles: record({
    data: z.array(
      record({
        ...{ about: text, address: text, description: text, email: text, vertical: text, profile_picture_url: text },
        websites: z.array(text),
      }),
    ),
  }),
}
