import { z } from 'zod'
import { parseDocument } from '#domain/documents/documents.ts'
import { id, text } from '#kit/fields.ts'
import { fieldValues } from '#kit/own-fields.ts'

const [email, day] = [z.email(), z.iso.date()]
const isEmail = (value: string) => value === '' || email.safeParse(value).success
const isDay = (value: string) => value === '' || day.safeParse(value).success

/** Ids of records attached to a contact, such as tags. */
export const contactIds = z.array(id).max(50, 'Escolha no máximo 50.')

/** Id prefix of `extraInfo` entries that belong to a custom field; the field's id follows. */
export const OWN_FIELD = 'field:'

const address = text(120)

const fields = {
  name: text(120, 1),
  /** Number in any spelling: international with a plus sign, else Brazilian. Stored as international digits. */
  number: text(30),
  email: text(254).toLowerCase().refine(isEmail, 'Informe um e-mail válido, como nome@empresa.com.br.'),
  cpf: text(24)
    .refine(
      (value) => value === '' || parseDocument(value) !== null,
      'Confira os números: este CPF ou CNPJ não existe.',
    )
    .transform((value) => parseDocument(value)?.value ?? ''),
  firstName: text(80),
  lastName: text(80),
  businessName: text(120),
  birthdayDate: z.string().trim().refine(isDay, 'Informe uma data que existe, como 14/03/1968.'),
  blocked: z.boolean(),
  /** Chat flows skip the contact. */
  chatbotBlocked: z.boolean(),
  /** Channel addresses entered by a person; an empty one removes the earlier entry. */
  lid: address
    .refine((value) => /^(\d{5,20}(@lid)?)?$/.test(value), 'Informe só os números do LID.')
    .transform((value) => (value === '' || value.endsWith('@lid') ? value : `${value}@lid`)),
  telegramId: address,
  messengerId: address,
  instagramPK: address,
  hubWhatsapp: address,
  /** Users who see a group. */
  groupUserIdArray: z.array(id).max(500).nullable(),
  /** Values of custom fields by id; null empties a field, absent ones stay. */
  fields: fieldValues,
  /** Kanban stage; null: off the board. */
  kanban: id.nullable(),
  /** With a stage: the contact to be placed before; null, or absent when entering the stage: last. */
  before: id.nullable(),
  tags: contactIds,
  wallets: contactIds,
  extraInfo: z
    .array(
      z.strictObject({ id: z.union([z.string().max(60), z.number()]).optional(), name: text(60, 1), value: text(500) }),
    )
    .max(50, 'Use no máximo 50 campos.'),
}

const changes = z.strictObject(fields).partial()

/** Body of a contact change; absent fields stay. */
export const contactChanges = changes.refine(({ kanban, before }) => before === undefined || kanban !== undefined, {
  path: ['kanban'],
  error: 'Informe a etapa.',
})

/** Body of a new contact. */
export const contactForm = changes.omit({ before: true }).required({ name: true })
