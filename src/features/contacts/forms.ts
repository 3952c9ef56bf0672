import { z } from 'zod'
import { parseDocument } from '#domain/documents/documents.ts'
import { id, text } from '#kit/fields.ts'
import { fieldValues } from '#kit/own-fields.ts'

const [email, day] = [z.email(), z.iso.date()]
const isEmail = (value: string) => value === '' || email.safeParse(value).success
const isDay = (value: string) => value === '' || day.safeParse(value).success

/** Ids of what a contact has, such as tags. */
export const contactIds = z.array(id).max(50, 'Escolha no máximo 50.')

/** By what an entry of `extraInfo` is known to stand in a field of the company's own: its id behind this. */
export const OWN_FIELD = 'field:'

const address = text(120)

const fields = {
  name: text(120, 1),
  /** Any spelling: a plus sign means international, else Brazil. Kept as international digits. */
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
  /** Chat flows leave them alone. */
  chatbotBlocked: z.boolean(),
  /** How channels know them, where a person says so; empty takes back what a person said. */
  lid: address
    .refine((value) => /^(\d{5,20}(@lid)?)?$/.test(value), 'Informe só os números do LID.')
    .transform((value) => (value === '' || value.endsWith('@lid') ? value : `${value}@lid`)),
  telegramId: address,
  messengerId: address,
  instagramPK: address,
  hubWhatsapp: address,
  /** Of a group: who sees it. */
  groupUserIdArray: z.array(id).max(500).nullable(),
  /** Fields of the company's own by their ids; null empties one, what is left out stays. */
  fields: fieldValues,
  /** The stage of the kanban; null: out of the panel. */
  kanban: id.nullable(),
  /** With a stage: the contact of it that comes next; null, or left out on the way into it: behind all others. */
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

/** What a change of a contact may carry; what is left out stays. */
export const contactChanges = changes.refine(({ kanban, before }) => before === undefined || kanban !== undefined, {
  path: ['kanban'],
  error: 'Informe a etapa.',
})

/** What a new contact is made from. */
export const contactForm = changes.omit({ before: true }).required({ name: true })
