import { z } from 'zod'
import { maskName, maskValue, withhold, withholdAll } from '#domain/access/restricted.ts'
import { momentsOf } from '#domain/calendar/day-range.ts'
import { STATE_OF_DDD } from '#domain/phone/brazil.ts'
import { bulkAnswer } from '#kit/bulk.ts'
import { contract, type Returned } from '#kit/contract.ts'
import { done, flag, id, isoTime, many, pageAnswer, pageQuery, text } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import { fieldAsked, fieldValue } from '#kit/own-fields.ts'
import * as at from './addresses.ts'
import { contactChanges, contactForm, contactIds } from './forms.ts'

/**
 * Schema of a contact in lists: number in international digits, document without mask, birthday `YYYY-MM-DD`; empty strings
 * for unknown values.
 */
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
  /** Channels with an address of the contact, newest first. */
  channels: z.array(z.string()),
  /** True if a channel reaches the number; null if none was asked. */
  isWAContact: z.boolean().nullable(),
  isGroup: z.boolean(),
  blocked: z.boolean(),
  /** True if chat flows skip the contact. */
  chatbotBlocked: z.boolean(),
  /** Name on the channel. */
  pushname: hidden(z.string(), maskName),
  /** Hidden address (LID) on the channel; empty if none. */
  lid: hidden(z.string(), maskValue),
  telegramId: hidden(z.string(), maskValue),
  messengerId: hidden(z.string(), maskValue),
  instagramPK: hidden(z.string(), maskValue),
  hubWhatsapp: hidden(z.string(), maskValue),
  /** Values of custom fields by field id, without empty ones. */
  fields: hidden(z.record(z.string(), fieldValue), () => ({})),
  /** Kanban stage. */
  kanban: z.number().int().nullable(),
  tags: z.array(z.object({ id: z.number().int(), tag: z.string(), color: z.string() })),
  wallets: z.array(z.object({ id: z.number().int(), name: z.string() })),
  createdAt: isoTime,
  updatedAt: isoTime,
})

const extra = z.object({ id: z.union([z.string(), z.number()]), name: z.string(), value: z.string() })

/** Schema of a contact with everything that its form shows. */
export const contactDetail = contactRow.extend({
  extraInfo: hidden(z.array(extra), withholdAll),
  /** Users who see a group; null for other contacts. */
  groupUserIdArray: z.array(z.number().int()).nullable(),
  /** Number of tickets, visible or not; a contact with tickets cannot be deleted. */
  ticketCount: z.number().int(),
})

const dayRange = z
  .string()
  .max(30)
  .refine(
    (range) => momentsOf(range, { zone: 'UTC', now: new Date(0) }) !== null,
    'Informe os dias como AAAA-MM-DD..AAAA-MM-DD, ou -30.. para os últimos 30 dias.',
  )

/** Filters of the contact list, also stored in views and used by bulk operations. */
const narrowing = {
  tag: many(id),
  wallet: many(id),
  /** Kanban stages. */
  kanban: many(id),
  blocked: flag,
  chatbotBlocked: flag,
  isGroup: flag,
  /** Came to a conversation by an ad. */
  fromAd: flag,
  /** Brazilian states (two letters), derived from the number's area code. */
  state: many(z.enum([...new Set(STATE_OF_DDD.values())])),
  /** Days of creation, and of the last message: `from..to` (`domain/calendar/day-range`). */
  created: dayRange.optional(),
  lastTalk: dayRange.optional(),
  /** Months of the birthday, from 1. */
  birthMonth: many(z.coerce.number<number | string>().int().min(1).max(12)),
  /** Campaigns that reached the contact and were answered, or were not. */
  answered: many(id),
  unanswered: many(id),
  /** Custom fields: `12:value` (several match any of them; a text matches by prefix), `12:from..to` for numbers and days. */
  field: many(fieldAsked),
}

/** Filter stored in a view. */
export const viewFilter = z.strictObject(narrowing)

/** Filter of a contact list, with its search but without pages. */
export const contactFilter = viewFilter.extend({ searchParam: pageQuery.shape.searchParam })

/** Reason to suspect two contacts of being one person: line, document and e-mail are strong, name with birthday is weak. */
export const duplicateReason = z.enum(['line', 'document', 'email', 'name'])

/** Fields that a merge may take from the other contact. */
export const mergeField = z.enum([
  ...(['name', 'number', 'email', 'cpf', 'firstName', 'lastName', 'businessName'] as const),
  ...(['birthdayDate', 'blocked', 'chatbotBlocked', 'kanban'] as const),
])

const identity = z.object({
  /** Channel of the address; `phone` for the contact's own number. */
  channel: z.string(),
  address: hidden(z.string(), maskValue),
  /** Proof of the address: reported by the channel, entered by a user, or none yet. */
  proof: z.enum(['provider', 'person', 'none']),
  since: isoTime,
  lastUsedAt: isoTime.nullable(),
  /** Time since which the address accepts no messages: the bot was blocked, or removed from the group; else null. */
  blocksUsSince: isoTime.nullable(),
  /** Original contact of the address, among merged ones. */
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

/** Schema of what a forced deletion of a contact removes. */
const forced = z.object({
  name: hidden(z.string(), maskName),
  tickets: z.number().int(),
  /** Of the tickets, those that are open or pending. */
  live: z.number().int(),
  messages: z.number().int(),
  files: z.number().int(),
  ratings: z.number().int(),
  schedules: z.number().int(),
  identities: z.number().int(),
})

/** Schema of what forgetting a person deletes or empties. */
const lost = z.object({
  tickets: z.number().int(),
  messages: z.number().int(),
  files: z.number().int(),
  ratings: z.number().int(),
  schedules: z.number().int(),
  fields: z.number().int(),
  changes: z.number().int(),
  identities: z.number().int(),
})

/** Schema of an erasure certificate, without names. `fingerprints` are keyed hashes of the former addresses. */
const certificate = z.object({
  id: z.number().int(),
  contactId: z.number().int(),
  counts: lost,
  fingerprints: z.array(z.string()),
  userName: z.string(),
  createdAt: z.string(),
  signature: z.string(),
  isGenuine: z.boolean(),
})

/** Schema of a change of a contact's field. */
export const change = z.object({
  id: z.number().int(),
  /** Field of the contact, or `tag`, `wallet`, `extra`, `field` (a custom field). */
  field: z.string(),
  /** Name of the tag, user or field; null if it no longer exists, and for other fields. */
  name: z.string().nullable(),
  before: hidden(z.string(), maskValue),
  after: hidden(z.string(), maskValue),
  /** Null for automatic changes. */
  userName: z.string().nullable(),
  createdAt: isoTime,
})

/** Change of a contact's field as the browser gets it. */
export type ContactChange = z.output<typeof change>

/** Contact as the browser gets it. */
export type ContactRow = z.output<typeof contactRow>
/** Contact with its form's fields as the browser gets it. */
export type ContactDetail = z.output<typeof contactDetail>

/** API contract of contacts: list, detail, changes, merges and deletion. */
export const contacts = contract(at.contacts, {
  list: {
    summary:
      'Contatos por nome; busca em nome, número, e-mail, empresa e documento; filtros também por campos próprios',
    query: pageQuery.extend(narrowing),
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
    mode: 'slow',
    body: contactForm,
    returns: contactDetail,
    errors: [
      'ERR_DUPLICATED_CONTACT',
      'ERR_NO_TAG_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_WAPP_INVALID_CONTACT',
      'ERR_WAPP_CHECK_CONTACT',
    ],
    audit: true,
  },
  update: {
    summary: 'Alterar um contato; o que não vem no pedido fica como está',
    mode: 'slow',
    body: contactChanges,
    returns: contactDetail,
    errors: [
      'ERR_NO_CONTACT_FOUND',
      'ERR_DUPLICATED_CONTACT',
      'ERR_NO_TAG_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_BOARD_CHANGED',
      'ERR_WAPP_INVALID_CONTACT',
      'ERR_WAPP_CHECK_CONTACT',
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
      /** Fields that differ between the two contacts. */
      conflicts: z.array(mergeField),
      tickets: z.number().int(),
      identities: z.number().int(),
      /** Connections on which both have an active ticket; the older ticket continues. */
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
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_CONTACT_TICKETS_REGISTERED', 'ERR_CONTACT_OPPORTUNITIES'],
    audit: true,
  },
  closeAll: {
    summary: 'Resolver todos os atendimentos em andamento de um contato que quem pede pode ver; dá para desfazer',
    body: z.strictObject({ contactId: id, reasons: id.optional() }),
    returns: bulkAnswer,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_SELECTION_TOO_LARGE'],
  },
  previewForced: {
    summary: 'O que se perde ao excluir um contato com tudo o que se conversou com ele',
    returns: forced,
    errors: ['ERR_NO_CONTACT_FOUND'],
  },
  removeForced: {
    summary: 'Excluir um contato com atendimentos, mensagens e avaliações; isto não pode ser desfeito',
    mode: 'slow',
    returns: done,
    errors: ['ERR_NO_CONTACT_FOUND'],
    audit: true,
  },
  previewForget: {
    summary: 'O que some quando uma pessoa é esquecida (LGPD)',
    returns: lost.extend({ name: hidden(z.string(), maskName), live: z.number().int() }),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_FORGET_GROUP'],
  },
  forget: {
    summary: 'Esquecer uma pessoa (LGPD): textos, arquivos e dados somem; os números ficam, com uma certidão assinada',
    mode: 'slow',
    returns: certificate,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_FORGET_LIVE', 'ERR_FORGET_GROUP'],
    audit: true,
  },
  certificates: {
    summary: 'As certidões de que um contato foi esquecido, e se cada uma é a que foi assinada',
    returns: z.object({ certificates: z.array(certificate) }),
    errors: ['ERR_NO_CONTACT_FOUND'],
  },
  changes: {
    summary: 'O que mudou em um contato: quem, quando, de que para quê, do mais novo ao mais antigo',
    query: pageQuery,
    returns: z.object({ changes: z.array(change), hasMore: z.boolean(), nextCursor: z.string().nullable() }),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
})

const view = z.object({
  id: z.number().int(),
  name: z.string(),
  filter: viewFilter,
  /** Audience of the view: its owner, or the whole company. */
  audience: z.enum(['person', 'company']),
  /** True for one's own views, and for shared ones if the user is a lead. */
  mayChange: z.boolean(),
})

/** Saved view of contacts as the browser gets it. */
export type ContactView = z.output<typeof view>

const viewBody = z.strictObject({
  name: text(40, 1),
  filter: viewFilter,
  /** Defaults to `person`. */
  audience: z.enum(['person', 'company']).optional(),
})

/** API contract of saved contact views: the company's and one's own, by name. */
export const contactViews = contract(at.contactViews, {
  list: {
    summary: 'Visões salvas dos contatos que quem pede pode usar',
    returns: z.object({ views: z.array(view) }),
  },
  create: {
    summary: 'Salvar uma visão dos contatos: própria ou, para quem supervisiona, da empresa',
    body: viewBody,
    returns: view,
    errors: ['ERR_NO_PERMISSION', 'ERR_TOO_MANY_CONTACT_VIEWS'],
    audit: true,
  },
  update: {
    summary: 'Mudar nome, filtro ou alcance de uma visão dos contatos; o que não vem no pedido fica como está',
    body: viewBody.partial(),
    returns: view,
    errors: ['ERR_NO_CONTACT_VIEW_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma visão dos contatos',
    returns: done,
    errors: ['ERR_NO_CONTACT_VIEW_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
})

/** Channel address of a contact as the browser gets it. */
export type ContactIdentity = z.output<typeof identity>
/** Pair of contacts that may be one person as the browser gets it. */
export type PossibleDuplicate = Returned<typeof contacts.duplicates>['duplicates'][number]

declare module '#kit/contract.ts' {
  interface Contracts {
    contacts: typeof contacts
    contactViews: typeof contactViews
  }
}
