import { fileUrl } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import type { ContactDetail, ContactRow } from '../contract.ts'
import type { ContactRecord } from './queries.ts'

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
  channels: row.channels,
  isWAContact: row.is_wa_contact,
  isGroup: row.is_group,
  blocked: row.blocked,
  kanban: row.kanban,
  tags: row.tags,
  wallets: row.wallets,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** A contact as its form shows it. */
export const serializeContactDetail = (platform: Platform, row: ContactRecord, ticketCount: number): ContactDetail => ({
  ...serializeContact(platform, row),
  extraInfo: row.extra_info as ContactDetail['extraInfo'],
  ticketCount,
})
