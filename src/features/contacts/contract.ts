import { z } from 'zod'
import { maskName, maskValue, withhold, withholdAll } from '#domain/access/restricted.ts'
import { parseDocument } from '#domain/documents/documents.ts'
import { contract } from '#kit/contract.ts'
import { done, id, idParams, isoTime, many, pageAnswer, pageQuery, text } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'

/** A contact as lists show it: number in international digits, document bare, birthday `YYYY-MM-DD`; empty texts for what is not known. */
export const contactRow = z.object({
  id: z.number().int(),
  name: hidden(z.string(), maskName),
  number: hidden(z.string().nullable(), maskValue),
  email: hidden(z.string(), maskValue),
  cpf: hidden(z.string(), maskValue),
  firstName: hidden(z.string(), maskName),
  lastName: hidden(z.string(), maskValue),
  businessName: hidden(z.string(), maskValue),
  birthdayDate: hidden(z.string(), maskValue),
  profilePicUrl: hidden(z.string().nullable(), withhold),
  /** Channels on which the contact is known, the newest first. */
  channels: z.array(z.string()),
  isGroup: z.boolean(),
  blocked: z.boolean(),
  tags: z.array(z.object({ id: z.number().int(), tag: z.string(), color: z.string() })),
  wallets: z.array(z.object({ id: z.number().int(), name: z.string() })),
  createdAt: isoTime,
  updatedAt: isoTime,
})

const extra = z.object({ id: z.union([z.string(), z.number()]), name: z.string(), value: z.string() })

/** One contact with everything that its form shows. */
export const contactDetail = contactRow.extend({
  extraInfo: hidden(z.array(extra), withholdAll),
  /** How many tickets it has, seen or not; they keep it from being deleted. */
  ticketCount: z.number().int(),
})

/** A contact, as a browser reads it. */
export type ContactRow = z.output<typeof contactRow>
/** One contact with its form's fields, as a browser reads it. */
export type ContactDetail = z.output<typeof contactDetail>

const isEmail = (value: string) => value === '' || z.email().safeParse(value).success
const isDay = (value: string) => value === '' || z.iso.date().safeParse(value).success
const ids = z.array(id).max(50, 'Escolha no máximo 50.')

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
  tags: ids,
  wallets: ids,
  extraInfo: z
    .array(
      z.strictObject({ id: z.union([z.string().max(60), z.number()]).optional(), name: text(60, 1), value: text(500) }),
    )
    .max(50, 'Use no máximo 50 campos.'),
}

const changes = z.strictObject(fields).partial()

/** What a new contact is made from. */
export const contactForm = changes.required({ name: true })

/** Contacts: the list, one, its changes. */
export const contacts = contract('contacts', {
  list: {
    method: 'GET',
    path: '/contacts',
    summary: 'Contatos por nome; busca em nome, número, e-mail, empresa e documento; filtros por etiqueta e carteira',
    can: 'contacts:read',
    query: pageQuery.extend({ tag: many(id), wallet: many(id) }),
    returns: z.object({ contacts: z.array(contactRow), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: {
    method: 'GET',
    path: '/contacts/:id',
    summary: 'Um contato',
    can: 'contacts:read',
    params: idParams,
    returns: contactDetail,
    errors: ['ERR_NO_CONTACT_FOUND'],
  },
  byNumber: {
    method: 'GET',
    path: '/contactsNumber/:number',
    summary: 'O contato de um número, com ou sem o nono dígito',
    can: 'contacts:read',
    params: z.object({ number: z.string().max(40) }),
    returns: contactDetail,
    errors: ['ERR_NO_CONTACT_FOUND'],
  },
  create: {
    method: 'POST',
    path: '/contacts',
    summary: 'Novo contato',
    can: 'contacts:write',
    body: contactForm,
    returns: contactDetail,
    errors: ['ERR_DUPLICATED_CONTACT', 'ERR_NO_TAG_FOUND', 'ERR_NO_USER_FOUND'],
    touches: ['contacts'],
    audit: true,
  },
  update: {
    method: 'PUT',
    path: '/contacts/:id',
    summary: 'Alterar um contato; o que não vem no pedido fica como está',
    can: 'contacts:write',
    params: idParams,
    body: changes,
    returns: contactDetail,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_DUPLICATED_CONTACT', 'ERR_NO_TAG_FOUND', 'ERR_NO_USER_FOUND'],
    touches: ['contacts'],
    audit: true,
  },
  setTags: {
    method: 'PUT',
    path: '/contact-tags/:id',
    summary: 'Trocar as etiquetas de um contato',
    can: 'contacts:write',
    params: idParams,
    body: z.strictObject({ tags: ids }),
    returns: contactDetail,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_NO_TAG_FOUND'],
    touches: ['contacts'],
  },
  setWallets: {
    method: 'PUT',
    path: '/contact-wallet/:id',
    summary: 'Trocar as carteiras de um contato',
    can: 'contacts:write',
    params: idParams,
    body: z.strictObject({ wallets: ids }),
    returns: contactDetail,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_NO_USER_FOUND'],
    touches: ['contacts'],
    audit: true,
  },
  remove: {
    method: 'DELETE',
    path: '/contacts/:id',
    summary: 'Excluir um contato sem atendimentos',
    can: 'contacts:delete',
    params: idParams,
    returns: done,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_CONTACT_TICKETS_REGISTERED'],
    touches: ['contacts'],
    audit: true,
  },
})
