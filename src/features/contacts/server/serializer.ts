import { type ContactField, channelOfField } from '#providers/channels/configs.ts'
import type { ReadCtx } from '#server/context.ts'
import { fileUrl } from '#server/files/store.ts'
import { jsonOf, textOf } from '#server/own-fields.ts'
import type { Platform } from '#server/platform.ts'
import type { ContactDetail, ContactRow } from '../contract.ts'
import { OWN_FIELD } from '../forms.ts'
import type { ContactRecord } from './queries.ts'

/** Serialises a contact for lists; signs the link of its picture. */
export const serializeContact = (platform: Platform, row: ContactRecord): ContactRow => ({
  id: row.id,
  name: row.name,
  number: row.number,
  email: row.email,
  cpf: row.cpf,
  firstName: row.first_name,
  lastName: row.last_name,
  businessName: row.business_name,
  birthdayDate: row.birthday_date,
  profilePicUrl: row.profile_pic_file && fileUrl(platform, row.tenant_id, row.profile_pic_file, 'foto'),
  channels: [...new Set(row.addresses.map(({ channel }) => channel))],
  ...addressesOf(row),
  pushname: row.pushname,
  fields: Object.fromEntries(row.own_fields.map((one) => [one.id, jsonOf(one)])),
  isWAContact: row.is_wa_contact,
  isGroup: row.is_group,
  blocked: row.blocked,
  chatbotBlocked: row.chatbot_blocked,
  kanban: row.kanban,
  tags: row.tags,
  wallets: row.wallets,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** Serialises a contact for its form. */
export const serializeContactDetail = (
  { platform, settings }: Pick<ReadCtx, 'platform' | 'settings'>,
  row: ContactRecord,
  { ticketCount, groupUserIds }: { ticketCount: number; groupUserIds: number[] },
): ContactDetail => ({
  ...serializeContact(platform, row),
  extraInfo: [
    ...row.own_fields.map((one) => ({
      id: OWN_FIELD + one.id,
      name: one.name,
      value: textOf(one, settings.timezone),
    })),
    ...row.extra_info,
  ],
  groupUserIdArray: row.is_group ? groupUserIds : null,
  ticketCount,
})

/** Contact fields that hold channel addresses. */
export const ADDRESS_FIELDS: readonly ContactField[] = [
  'lid',
  'telegramId',
  'messengerId',
  'instagramPK',
  'hubWhatsapp',
]

/** Suffix of hidden numbers (LID), on any channel. */
export const LID_END = '@lid'

function addressesOf({ addresses }: ContactRecord): Record<ContactField, string> {
  const on = (field: ContactField) => addresses.find(({ channel }) => channel === channelOfField(field))?.identity ?? ''
  return {
    lid: addresses.find(({ identity }) => identity.endsWith(LID_END))?.identity ?? '',
    telegramId: on('telegramId'),
    messengerId: on('messengerId'),
    instagramPK: on('instagramPK'),
    hubWhatsapp: on('hubWhatsapp'),
  }
}
