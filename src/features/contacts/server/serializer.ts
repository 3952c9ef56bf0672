import { kindOf } from '#kit/fields/kinds.ts'
import type { ReadCtx } from '#server/context.ts'
import { fileUrl } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import type { ContactDetail, ContactRow } from '../contract.ts'
import { fieldOf, OWN_FIELD } from '../forms.ts'
import type { ContactRecord, OwnValue } from './queries.ts'

/** A contact as lists show it; the platform signs the link of the picture. */
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
  fields: Object.fromEntries(row.own_fields.map((one) => [one.id, heldIn(one)])),
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

/** A contact as its form shows it. */
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
      value: kindOf(fieldOf(one)).toText(heldIn(one), fieldOf(one), { zone: settings.timezone }),
    })),
    ...(row.extra_info as ContactDetail['extraInfo']),
  ],
  groupUserIdArray: row.is_group ? groupUserIds : null,
  ticketCount,
})

const heldIn = ({ type, text, number }: OwnValue): string | number | boolean =>
  type === 'number' ? (number ?? 0) : type === 'boolean' ? text === 'true' : text

/** The channels whose addresses a contact's form shows, and takes where no channel has said so itself. */
export const ADDRESS_FIELDS = {
  telegramId: 'telegram',
  messengerId: 'messenger',
  instagramPK: 'instagram',
  hubWhatsapp: 'hub_whatsapp_business_account',
} as const

/** The channel under which a hidden number (LID) of WhatsApp is kept that a person tells. */
export const LID_CHANNEL = 'baileys'
/** How a hidden number ends. */
export const LID_END = '@lid'

function addressesOf({ addresses }: ContactRecord) {
  const on = (channel: string) => addresses.find((one) => one.channel === channel)?.identity ?? ''
  return {
    lid: addresses.find(({ identity }) => identity.endsWith(LID_END))?.identity ?? '',
    telegramId: on(ADDRESS_FIELDS.telegramId),
    messengerId: on(ADDRESS_FIELDS.messengerId),
    instagramPK: on(ADDRESS_FIELDS.instagramPK),
    hubWhatsapp: on(ADDRESS_FIELDS.hubWhatsapp),
  }
}
