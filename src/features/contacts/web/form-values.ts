import type { ExtraEntry } from '#domain/contacts/person.ts'
import { formatDocument } from '#domain/documents/documents.ts'
import { changedValues, type OwnFieldValues } from '#web/fields/own-fields.tsx'
import { shownOf, unmasked } from '#web/ui/inputs/mask.ts'
import type { ContactDetail } from '../contract.ts'
import { contactForm, OWN_FIELD } from '../forms.ts'

/** Values of the contact form: number with plus sign and digits, masked texts, day in display format. */
export type FormValues = {
  name: string
  number: string
  email: string
  cpf: string
  firstName: string
  lastName: string
  businessName: string
  birthdayDate: string
  kanban: number | null
  blocked: boolean
  chatbotBlocked: boolean
  lid: string
  telegramId: string
  messengerId: string
  instagramPK: string
  hubWhatsapp: string
  fields: OwnFieldValues
  groupUserIdArray: number[] | null
  tags: number[]
  wallets: number[]
  extraInfo: ExtraEntry[]
}

/** Form values of a new contact. */
export const emptyValues: FormValues = {
  name: '',
  number: '',
  email: '',
  cpf: '',
  firstName: '',
  lastName: '',
  businessName: '',
  birthdayDate: '',
  kanban: null,
  blocked: false,
  chatbotBlocked: false,
  lid: '',
  telegramId: '',
  messengerId: '',
  instagramPK: '',
  hubWhatsapp: '',
  fields: {},
  groupUserIdArray: null,
  tags: [],
  wallets: [],
  extraInfo: [],
}

/** Converts a stored contact to form values. */
export const valuesOf = (contact: ContactDetail): FormValues => ({
  name: contact.name,
  number: contact.number?.replace(/^(?=\d{8,15}$)/, '+') ?? '',
  email: contact.email,
  cpf: formatDocument(contact.cpf),
  firstName: contact.firstName,
  lastName: contact.lastName,
  businessName: contact.businessName,
  birthdayDate: shownOf('data', contact.birthdayDate),
  kanban: contact.kanban,
  blocked: contact.blocked,
  chatbotBlocked: contact.chatbotBlocked,
  lid: contact.lid,
  telegramId: contact.telegramId,
  messengerId: contact.messengerId,
  instagramPK: contact.instagramPK,
  hubWhatsapp: contact.hubWhatsapp,
  fields: contact.fields,
  groupUserIdArray: contact.groupUserIdArray,
  tags: contact.tags.map((one) => one.id),
  wallets: contact.wallets.map((one) => one.id),
  extraInfo: contact.extraInfo.filter(({ id }) => !String(id).startsWith(OWN_FIELD)),
})

/** Builds the request body: all fields of a new contact, only changed ones of a stored one; omits blank additional info. */
export function bodyOf(values: FormValues, changed?: readonly string[], stored: FormValues['fields'] = {}) {
  const body = {
    ...values,
    fields: changedValues(values.fields, stored),
    birthdayDate: unmasked('data', values.birthdayDate),
    extraInfo: values.extraInfo.filter((one) => one.name.trim() !== '' || one.value.trim() !== ''),
  }
  if (body.groupUserIdArray === null) Reflect.deleteProperty(body, 'groupUserIdArray')
  const entries = changed ? Object.entries(body).filter(([key]) => changed.includes(key)) : Object.entries(body)
  return Object.fromEntries(entries)
}

/** Validates form values with the contract's schema. */
export const checker = { safeParse: (values: FormValues) => contactForm.safeParse(bodyOf(values)) }
