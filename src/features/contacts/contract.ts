import { z } from 'zod'
import { maskName, maskValue, withhold, withholdAll } from '#domain/access/restricted.ts'
import { contract, type Returned } from '#kit/contract.ts'
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

/** By what two contacts may be one person: the first three are strong, name and birthday are weak. */
export const duplicateReason = z.enum(['line', 'document', 'email', 'name'])

/** The fields of which a merge may take the other one's. */
export const mergeField = z.enum([
  ...(['name', 'number', 'email', 'cpf', 'firstName', 'lastName', 'businessName'] as const),
  ...(['birthdayDate', 'blocked', 'chatbotBlocked', 'kanban'] as const),
])

const identity = z.object({
  /** The channel that knows it; `phone` for the number of the contact itself. */
  channel: z.string(),
  address: hidden(z.string(), maskValue),
  /** Who says that it is theirs: the channel, a person, or nobody yet. */
  proof: z.enum(['provider', 'person', 'none']),
  since: isoTime,
  lastUsedAt: isoTime.nullable(),
  /** Of the contacts that were merged, the one whose it was. */
  contactId: z.number().int(),
  contactName: hidden(z.string(), maskName),
})

const mergeParty = z.object({ id: z.number().int(), name: hidden(z.string(), maskName) })

const mergeRow = z.object({
  id: z.number().int(),
  contact: mergeParty,
  other: mergeParty.extend({ number: hidden(z.string().nullable(), maskValue) }),
  proof: z.enum(['person', 'number', 'provider']),
  userName: z.string().nullable(),
  createdAt: isoTime,
  undoneAt: isoTime.nullable(),
  undoneByName: z.string().nullable(),
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
  identities: {
    summary: 'Os endereços pelos quais os canais conhecem um contato',
    returns: z.object({ identities: z.array(identity) }),
    errors: ['ERR_NO_CONTACT_FOUND'],
  },
  merges: {
    summary: 'As mesclas de um contato, também as desfeitas',
    query: pageQuery,
    returns: z.object({ merges: z.array(mergeRow), hasMore: z.boolean(), nextCursor: z.string().nullable() }),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  previewMerge: {
    summary: 'O que uma mescla mudaria',
    query: z.object({ contactId: z.coerce.number().int().positive() }),
    returns: z.object({
      contact: contactRow,
      other: contactRow,
      /** Where both have something else. */
      conflicts: z.array(mergeField),
      tickets: z.number().int(),
      identities: z.number().int(),
      /** Connections on which both have a live ticket: the older goes on. */
      live: z.array(z.object({ connection: z.string(), intoId: z.number().int(), closedId: z.number().int() })),
    }),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_MERGE_SAME', 'ERR_MERGE_GROUP'],
  },
  merge: {
    summary: 'Mesclar outro contato neste: são a mesma pessoa',
    body: z.strictObject({ contactId: id, keep: z.partialRecord(mergeField, z.enum(['a', 'b'])).optional() }),
    returns: z.object({ mergeId: z.number().int(), contact: contactDetail }),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_MERGE_SAME', 'ERR_MERGE_GROUP', 'ERR_MERGE_CHANGED'],
    audit: true,
  },
  undoMerge: {
    summary: 'Desfazer uma mescla, quando for: cada um volta a ser quem era',
    params: z.object({ mergeId: id }),
    returns: z.object({ contacts: z.array(contactDetail) }),
    errors: ['ERR_NO_MERGE_FOUND', 'ERR_MERGE_UNDONE'],
    audit: true,
  },
  duplicates: {
    summary: 'Contatos que podem ser a mesma pessoa, com o motivo',
    query: pageQuery,
    returns: z.object({
      duplicates: z.array(
        z.object({ reason: duplicateReason, isStrong: z.boolean(), contact: contactRow, other: contactRow }),
      ),
      hasMore: z.boolean(),
      nextCursor: z.string().nullable(),
    }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  setDistinct: {
    summary: 'Lembrar que dois contatos não são a mesma pessoa',
    body: z.strictObject({ contactId: id, otherId: id }),
    returns: done,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_MERGE_SAME'],
    audit: true,
  },
  remove: {
    summary: 'Excluir um contato sem atendimentos',
    returns: done,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_CONTACT_TICKETS_REGISTERED'],
    audit: true,
  },
})

/** What a merge would change, as a browser reads it. */
export type MergePreview = Returned<typeof contacts.previewMerge>
/** An address by which a channel knows a contact, as a browser reads it. */
export type ContactIdentity = z.output<typeof identity>
/** Two contacts that may be one person, as a browser reads them. */
export type PossibleDuplicate = Returned<typeof contacts.duplicates>['duplicates'][number]

declare module '#kit/contract.ts' {
  interface Contracts {
    contacts: typeof contacts
  }
}
