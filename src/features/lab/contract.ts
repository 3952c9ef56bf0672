import { z } from 'zod'
import { messageFile } from '#features/ledger/file-contract.ts'
import { contactCard, geoLocation } from '#features/ledger/forms.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, duration, epochMs, flag, formFlag, id, moment, pageAnswer, pageQuery, text, uuid } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { groupForm, phoneForm } from './forms.ts'

/** Schema of the status that the phone shows; messages of the team are `received` until the phone gives receipts. */
const status = z.enum(['pending', 'sent', 'delivered', 'read', 'played', 'received'])

/**
 * Schema of the faults armed on a phone; except for the outage and the other spelling, they apply to one message and are
 * then disarmed.
 */
const faults = z.strictObject({
  /** Whether the phone's next message arrives three times: twice at once and once later. */
  duplicate: z.boolean(),
  /** Whether the phone's next message arrives after the following one. */
  reorder: z.boolean(),
  /** Delay of the phone's next message in seconds; 0 = off. */
  delaySeconds: z.number().int().min(0).max(600),
  /** Delay of the receipts of the next message to the phone in seconds; 0 = off. */
  lateReceiptSeconds: z.number().int().min(0).max(600),
  /** Whether nothing passes in either direction, for ten minutes or until switched off. */
  disconnected: z.boolean(),
  /** Whether the phone sends under its number's other spelling: without or with the ninth digit. */
  otherSpelling: z.boolean(),
  // Those of a phone that writes to a linked number (`isLinked`); it has none of the others.
  /** Whether the phone hides its number, so that its contact is known by the LID only. */
  hidden: z.boolean(),
  /** Whether the phone's next message cannot be decrypted at first; it is repeated after eight seconds. */
  undecrypted: z.boolean(),
  /** Whether the phone's next file is damaged at the host; the phone uploads it again on request. */
  corruptFile: z.boolean(),
  /** Whether the phone's next file is missing both at the host and on the phone. */
  expiredFile: z.boolean(),
  /** Whether messages to the phone are refused with 463, as for a number that may not begin conversations. */
  refuses: z.boolean(),
  // Those of a phone on a channel with a window; it has `hidden` and `expiredFile`, too, and what every phone has.
  /** Whether the contact's last message is 25 hours old, until they write again. */
  windowClosed: z.boolean(),
  /** Id of the provider fault for the next message, among `ofProvider` of the phone; '' = none. */
  provider: z.string().max(40),
  /** Whether the read receipt of the next message to the phone comes before the delivery receipt. */
  reorderedReceipts: z.boolean(),
  /** Whether the number that the phone writes to has low quality. */
  lowQuality: z.boolean(),
  /**
   * Whether the provider has restricted the number that the phone writes to (`restricted`), or limits its new conversations
   * per day (`limited`).
   */
  restricted: z.boolean(),
  limited: z.boolean(),
  /** Whether a mailbox answers every mail with an out-of-office reply. */
  vacation: z.boolean(),
})

const message = z.object({
  id: uuid,
  phoneId: z.number().int(),
  fromPhone: z.boolean(),
  mediaType: z.string(),
  body: z.string(),
  file: messageFile.nullable(),
  /** Id of the quoted message. */
  quotedId: uuid.nullable(),
  /** Data of a contact card, a location, buttons, a pressed button, or a poll with its votes by phone. */
  data: z.unknown(),
  isForwarded: z.boolean(),
  edited: z.boolean(),
  isDeleted: z.boolean(),
  /** At most one reaction of the phone's person and one of the team. */
  reactions: z.array(z.object({ emoji: z.string(), fromPhone: z.boolean() })),
  status,
  timestamp: epochMs,
  /** Author within a group; null for every other message, and for those of the team. */
  sender: z.object({ phoneId: z.number().int(), name: z.string() }).nullable(),
  /** Mentions: names behind an `@` in the text; everyone as `@todos` (shown) or unwritten (hidden). */
  mentions: z.object({ people: z.array(z.string()), everyone: z.enum(['shown', 'hidden']).nullable() }).nullable(),
})

const phone = z.object({
  id: z.number().int(),
  connectionId: z.number().int(),
  /** Channel type that the phone writes on. */
  type: z.string(),
  name: z.string(),
  /** International digits, as in the conversation key of the channel. */
  number: z.string(),
  /** Whether it is a group of phones; its members are listed with admins first. */
  isGroup: z.boolean(),
  /** Whether the phone writes to a number linked at the lab's local WhatsApp. */
  isLinked: z.boolean(),
  members: z.array(z.object({ phoneId: z.number().int(), name: z.string(), number: z.string(), isAdmin: z.boolean() })),
  /** Data of a group: description, whether only admins write, and whether the company's number is an admin. */
  description: z.string(),
  onlyAdminsWrite: z.boolean(),
  isOwnAdmin: z.boolean(),
  faults,
  /** Known faults of the channel's provider, with name and effect. */
  ofProvider: z.array(z.object({ id: z.string(), label: z.string(), effect: z.string() })),
  /** Time at which an outage ends by itself. */
  disconnectedUntil: epochMs.nullable(),
  lastMessage: message.nullable(),
})

/** Contract of the virtual phones. */
export const lab = contract(at.lab, {
  list: {
    summary: 'Laboratório: telefones virtuais com a última mensagem de cada um',
    /** `most`: maximum number of phones. */
    returns: z.object({ company: z.string(), phones: z.array(phone), most: z.number().int() }),
  },
  create: {
    summary: 'Laboratório: novo telefone, de qualquer canal; o primeiro de cada um cria a conexão dele',
    body: phoneForm,
    returns: phone,
    errors: ['ERR_DUPLICATED', 'ERR_MAX_CONNECTIONS', 'ERR_CHANNEL_NOT_ALLOWED'],
  },
  createGroup: {
    summary: 'Laboratório: novo grupo de telefones do mesmo canal; quem vem primeiro o administra',
    body: groupForm,
    returns: phone,
    errors: ['ERR_NOT_FOUND', 'ERR_CHANNEL_CANNOT'],
  },
  changeGroup: {
    summary: 'Laboratório: mudar o nome, a imagem de um grupo ou se o número da empresa o administra',
    mode: 'slow',
    body: z.strictObject({
      name: text(60, 1).optional(),
      isOwnAdmin: flag,
      by: z.coerce.number<string | number>().int().positive().optional(),
    }),
    returns: phone,
    errors: ['ERR_NOT_FOUND', 'ERR_FILE_TYPE'],
  },
  changeMember: {
    summary: 'Laboratório: alguém entra no grupo, sai, passa a administrá-lo ou deixa de administrar',
    mode: 'slow',
    body: z.strictObject({
      phoneId: id,
      change: z.enum(['add', 'remove', 'promote', 'demote']),
      /** Id of the member who makes the change; default: the changed member. */
      by: id.optional(),
    }),
    returns: phone,
    errors: ['ERR_NOT_FOUND'],
  },
  remove: {
    summary: 'Laboratório: tirar um telefone; os atendimentos ficam',
    returns: done,
    errors: ['ERR_NOT_FOUND'],
  },
  messages: {
    summary: 'Laboratório: o que está no telefone, a página mais nova primeiro, cada página em ordem de chegada',
    query: pageQuery.pick({ cursor: true }),
    returns: z.object({ messages: z.array(message), ...pageAnswer }),
    errors: ['ERR_NOT_FOUND'],
  },
  send: {
    summary: 'Laboratório: o telefone envia texto ou um arquivo; repetir o mesmo id não envia de novo',
    mode: 'slow',
    body: z.strictObject({
      id: uuid,
      body: z.string().max(65_536).default(''),
      quotedId: uuid.optional(),
      /** Subject of a new mail, for mailboxes. */
      subject: text(200).optional(),
      /** Whether the file is a recording, in any container of the browser. */
      isVoice: formFlag,
      /** Whether it is forwarded from another conversation. */
      isForwarded: formFlag,
      contact: contactCard.optional(),
      location: geoLocation.optional(),
      /** Id of the group that the phone writes in; `@Name` mentions members. */
      groupId: z.coerce.number<string | number>().int().positive().optional(),
      durationMs: duration.optional(),
    }),
    returns: z.object({
      message,
      /** Milliseconds on the server from the request to the journal's commit; null while a fault holds the message. */
      journalMs: z.number().nullable(),
      /** Milliseconds on the server in total, so that the rest of the request's time is network time. */
      serverMs: z.number(),
      fault: z.enum(['duplicate', 'reorder', 'delay', 'disconnected', 'provider']).nullable(),
    }),
    errors: [
      ...(['ERR_NOT_FOUND', 'ERR_MESSAGE_EMPTY', 'ERR_FILE_TOO_LARGE', 'ERR_FILE_TYPE', 'ERR_DUPLICATED'] as const),
      'ERR_CHANNEL_CANNOT',
    ],
  },
  burst: {
    summary: 'Laboratório: o telefone escreve muitas mensagens de uma vez',
    mode: 'slow',
    body: z.strictObject({ count: z.number().int().min(1).max(100) }),
    returns: z.object({ ids: z.array(uuid) }),
    errors: ['ERR_NOT_FOUND'],
  },
  keep: {
    summary: 'Laboratório: uma conversa antiga, que só está no telefone; o produto a conhece quando importa',
    body: z.strictObject({
      messages: z
        .array(
          z.strictObject({
            id: uuid,
            fromPhone: z.boolean(),
            body: text(65_536, 1),
            timestamp: moment,
            /** Id of the phone that wrote it, in a group. */
            senderId: id.optional(),
          }),
        )
        .min(1)
        .max(1000),
    }),
    returns: z.object({ saved: z.number().int() }),
    errors: ['ERR_NOT_FOUND'],
  },
  ring: {
    summary: 'Laboratório: o telefone liga para o número vinculado, e desliga quando ninguém atende',
    mode: 'slow',
    returns: done,
    errors: ['ERR_NOT_FOUND', 'ERR_CHANNEL_CANNOT'],
  },
  act: {
    summary: 'Laboratório: o telefone edita ou apaga o que enviou, reage, toca em um botão, ou vota em uma enquete',
    mode: 'slow',
    params: z.object({ id, messageId: uuid }),
    body: z.strictObject({
      act: z.enum(['edit', 'revoke', 'react', 'press', 'vote']),
      body: text(65_536, 1).optional(),
      /** One emoji; empty removes the reaction. */
      reaction: z.string().max(40).optional(),
      buttonId: text(256, 1).optional(),
      /** Chosen options of a poll; none withdraws the vote. */
      options: z.array(text(100, 1)).max(12).optional(),
      /** Id of the message's group. */
      groupId: id.optional(),
    }),
    /** Message on the phone afterwards; for `press`, the message that it sends. */
    returns: message,
    errors: ['ERR_NOT_FOUND', 'ERR_CHANNEL_CANNOT'],
  },
  clear: {
    summary: 'Laboratório: recomeçar; apaga as mensagens no telefone, e só nele',
    returns: done,
    errors: ['ERR_NOT_FOUND'],
  },
  typing: {
    summary: 'Laboratório: o telefone está digitando ou gravando',
    mode: 'slow',
    body: z.strictObject({ state: z.enum(['composing', 'recording', 'paused']) }),
    returns: done,
    errors: ['ERR_NOT_FOUND'],
  },
  read: {
    summary: 'Laboratório: o telefone leu o que chegou, ou ouviu um áudio',
    mode: 'slow',
    body: z.strictObject({ played: uuid.optional() }),
    returns: done,
    errors: ['ERR_NOT_FOUND'],
  },
  setFaults: {
    summary: 'Laboratório: armar ou desarmar falhas',
    body: faults.partial(),
    returns: phone,
    errors: ['ERR_NOT_FOUND'],
  },
  device: {
    summary:
      'Laboratório: o aparelho lê o código de um canal, cai, é desligado, trocado ou barrado; o servidor cai e volta',
    body: z.strictObject({
      /**
       * Event on the linked phone; `away`, `back`, `kill` and `revive` affect the lab's WhatsApp: an outage of ten minutes,
       * a dead server.
       */
      act: z.enum(['scan', 'cut', 'unlink', 'replace', 'ban', 'away', 'back', 'kill', 'revive']),
      /** Code to scan; default: the code that the channel shows. */
      code: z.string().max(400).optional(),
      /** Number of the phone that scans. */
      number: text(30, 1).optional(),
    }),
    returns: done,
    errors: ['ERR_NO_WAPP_FOUND'],
  },
  trail: {
    summary: 'Laboratório: o que o produto fez com uma mensagem, com os horários dele',
    params: z.object({ id, messageId: uuid }),
    returns: z.object({
      /** Message within its ticket; null while it is under way. */
      message: z
        .object({
          id: uuid,
          ticketId: z.number().int(),
          protocol: z.string(),
          queue: z.string().nullable(),
          isLate: z.boolean(),
          /** Number of copies in the ticket; more than one is a defect. */
          copies: z.number().int(),
        })
        .nullable(),
      steps: z.array(z.object({ step: z.string(), at: epochMs })),
    }),
    errors: ['ERR_NOT_FOUND'],
  },
})

/** Events of phones, sent to users of the lab only. */
export const labEvents = events(at.labEvents, {
  message,
  status: z.object({ phoneId: z.number().int(), ids: z.array(uuid), status }),
  /** A phone was added or removed, or its faults changed. */
  changed: z.object({ phoneId: z.number().int() }),
  /** The team types to the phone. */
  typing: z.object({ phoneId: z.number().int(), state: z.enum(['composing', 'recording', 'paused']) }),
  /** A fault took effect. */
  fault: z.object({
    phoneId: z.number().int(),
    what: z.enum(['repeated', 'released', 'receipt-held', 'line-down', 'line-back', 'provider']),
    seconds: z.number().int().nullable(),
  }),
})

export type LabPhone = z.output<typeof phone>
export type LabMessage = z.output<typeof message>
export type LabFaults = z.output<typeof faults>
export type LabStatus = z.output<typeof status>
export type LabTrail = z.output<typeof lab.trail.returns>

declare module '#kit/contract.ts' {
  interface Contracts {
    lab: typeof lab
  }
  interface Events {
    labEvents: typeof labEvents
  }
}
