import { z } from 'zod'
import { maskName, maskValue, withhold, withholdAll } from '#domain/access/restricted.ts'
import { contract } from '#kit/contract.ts'
import { done, id, isoTime, many, pageAnswer, pageQuery } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'
import { contactChanges, contactForm, contactIds } from './forms.ts'

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
  /** Whether a channel reaches the number; null where none was asked. */
  isWAContact: z.boolean().nullable(),
  isGroup: z.boolean(),
  blocked: z.boolean(),
  /** The stage of the kanban. */
  kanban: z.number().int().nullable(),
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

/** Contacts: the list, one, its contactChanges. */
export const contacts = contract(at.contacts, {
  list: {
    summary: 'Contatos por nome; busca em nome, número, e-mail, empresa e documento; filtros por etiqueta e carteira',
    query: pageQuery.extend({ tag: many(id), wallet: many(id) }),
    returns: z.object({ contacts: z.array(contactRow), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: {
    summary: 'Um contato',
    returns: contactDetail,
    errors: ['ERR_NO_CONTACT_FOUND'],
  },
  byNumber: {
    summary: 'O contato de um número, com ou sem o nono dígito',
    params: z.object({ number: z.string().max(40) }),
    returns: contactDetail,
    errors: ['ERR_NO_CONTACT_FOUND'],
  },
  create: {
    summary: 'Novo contato',
    body: contactForm,
    returns: contactDetail,
    errors: ['ERR_DUPLICATED_CONTACT', 'ERR_NO_TAG_FOUND', 'ERR_NO_USER_FOUND'],
    audit: true,
  },
  update: {
    summary: 'Alterar um contato; o que não vem no pedido fica como está',
    body: contactChanges,
    returns: contactDetail,
    errors: [
      'ERR_NO_CONTACT_FOUND',
      'ERR_DUPLICATED_CONTACT',
      'ERR_NO_TAG_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_BOARD_CHANGED',
    ],
    audit: true,
  },
  setTags: {
    summary: 'Trocar as etiquetas de um contato',
    body: z.strictObject({ tags: contactIds }),
    returns: contactDetail,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_NO_TAG_FOUND'],
  },
  setWallets: {
    summary: 'Trocar as carteiras de um contato',
    body: z.strictObject({ wallets: contactIds }),
    returns: contactDetail,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_NO_USER_FOUND'],
    audit: true,
  },
  remove: {
    summary: 'Excluir um contato sem atendimentos',
    returns: done,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_CONTACT_TICKETS_REGISTERED'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    contacts: typeof contacts
  }
}
