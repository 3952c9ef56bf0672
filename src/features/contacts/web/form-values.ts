import { formatDocument } from '#domain/documents/documents.ts'
import { shownOf, unmasked } from '#web/ui/inputs/mask.ts'
import type { ContactDetail } from '../contract.ts'
import { contactForm } from '../forms.ts'

/** A contact as its form holds it: number as plus sign and digits, masks on, day as people write it. */
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
  tags: number[]
  wallets: number[]
  extraInfo: { id: string | number; name: string; value: string }[]
}

/** The form of a contact that does not exist yet. */
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
  tags: [],
  wallets: [],
  extraInfo: [],
}

/** The form of a stored contact. */
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
  tags: contact.tags.map((one) => one.id),
  wallets: contact.wallets.map((one) => one.id),
  extraInfo: contact.extraInfo,
})

/** What travels: all of a new contact, of a stored one the changed fields alone; extra fields left blank do not. */
export function bodyOf(values: FormValues, changed?: readonly string[]) {
  const body = {
    ...values,
    birthdayDate: unmasked('data', values.birthdayDate),
    extraInfo: values.extraInfo.filter((one) => one.name.trim() !== '' || one.value.trim() !== ''),
  }
  const entries = changed ? Object.entries(body).filter(([key]) => changed.includes(key)) : Object.entries(body)
  return Object.fromEntries(entries) as Partial<typeof body>
}

/** The contract's own check. */
export const checker = { safeParse: (values: unknown) => contactForm.safeParse(bodyOf(values as FormValues)) }
