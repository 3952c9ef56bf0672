import { z } from 'zod'
import { messageFile } from '#features/ledger/file-contract.ts'
import { contactCard, geoLocation } from '#features/ledger/forms.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, duration, epochMs, flag, formFlag, id, moment, pageAnswer, pageQuery, text, uuid } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { groupForm, phoneForm } from './forms.ts'

/** Clock and ticks as the phone shows them; a message of the team is `received` until the phone gives its receipts. */
const status = z.enum(['pending', 'sent', 'delivered', 'read', 'played', 'received'])

/** Faults that are armed on a phone; all but the lost connection and the other spelling are for one message and then gone. */
const faults = z.strictObject({
  /** The next message of the phone arrives three times: twice at once and once more later. */
  duplicate: z.boolean(),
  /** The next message of the phone arrives only after the one that follows it. */
  reorder: z.boolean(),
  /** The next message of the phone is this long on its way; 0 = off. */
  delaySeconds: z.number().int().min(0).max(600),
  /** The receipts of the next message to the phone come this much later; 0 = off. */
  lateReceiptSeconds: z.number().int().min(0).max(600),
  /** Nothing passes in either direction for ten minutes, or until it is switched off. */
  disconnected: z.boolean(),
  /** What the phone sends comes under its number's other spelling: without the ninth digit, or with it. */
  otherSpelling: z.boolean(),
  // Those of a phone that writes to a linked number (`isLinked`); it has none of the others.
  /** The phone shows no number: its contact is known by the LID alone. */
  hidden: z.boolean(),
  /** The next message of the phone cannot be read at first; its sender repeats it after eight seconds. */
  undecrypted: z.boolean(),
  /** The phone's next file is damaged at the host; the phone uploads it again on request. */
  corruptFile: z.boolean(),
  /** The next file of the phone is at the host no more, nor on the phone. */
  expiredFile: z.boolean(),
  /** What is written to the phone is refused with 463, as by a number that may not begin conversations. */
  refuses: z.boolean(),
  // Those of a phone on a channel with a window; it has `hidden` and `expiredFile`, too, and what every phone has.
  /** The contact's last word is 25 hours old, until they write again. */
  windowClosed: z.boolean(),
  /** What its provider does amiss with the next message, by its name among the `ofProvider` of the phone; '' = nothing. */
  provider: z.string().max(40),
  /** The read receipt of the phone's next message comes before the delivery receipt. */
  reorderedReceipts: z.boolean(),
  /** The number to which the phone writes has a low quality. */
  lowQuality: z.boolean(),
  /** The provider has restricted the number to which the phone writes; and it may begin few conversations a day. */
  restricted: z.boolean(),
  limited: z.boolean(),
  /** For a mailbox: answers every mail with an out-of-office reply. */
  vacation: z.boolean(),
})

const message = z.object({
  id: uuid,
  phoneId: z.number().int(),
  fromPhone: z.boolean(),
  mediaType: z.string(),
  body: z.string(),
  file: messageFile.nullable(),
  /** The message that it answers. */
  quotedId: uuid.nullable(),
  /** Of a card, a place, buttons, the press of one, or a poll with the votes in it by phone. */
  data: z.unknown(),
  isForwarded: z.boolean(),
  edited: z.boolean(),
  isDeleted: z.boolean(),
  /** One of the phone's person, and one of the team. */
  reactions: z.array(z.object({ emoji: z.string(), fromPhone: z.boolean() })),
  status,
  timestamp: epochMs,
  /** Who of a group wrote it; null for every other message, and for those of the team. */
  sender: z.object({ phoneId: z.number().int(), name: z.string() }).nullable(),
  /** Its mentions: names behind an `@` in its text; everybody as `@todos` (shown) or unwritten (hidden). */
  mentions: z.object({ people: z.array(z.string()), everyone: z.enum(['shown', 'hidden']).nullable() }).nullable(),
})

const phone = z.object({
  id: z.number().int(),
  connectionId: z.number().int(),
  /** The type of channel on which it writes. */
  type: z.string(),
  name: z.string(),
  /** International digits, as the channel names the conversation. */
  number: z.string(),
  /** A group of phones, with who is in it; those who run it first. */
  isGroup: z.boolean(),
  /** Whether it writes to a number that is linked at the laboratory's own WhatsApp. */
  isLinked: z.boolean(),
  members: z.array(z.object({ phoneId: z.number().int(), name: z.string(), number: z.string(), isAdmin: z.boolean() })),
  /** Of a group: what it is about, whether only those write who run it, and whether the company's own number is one of them. */
  description: z.string(),
  onlyAdminsWrite: z.boolean(),
  isOwnAdmin: z.boolean(),
  faults,
  /** What the provider of its channel is known to do amiss: what it is called, and what happens then. */
  ofProvider: z.array(z.object({ id: z.string(), label: z.string(), effect: z.string() })),
  /** When a lost connection comes back by itself. */
  disconnectedUntil: epochMs.nullable(),
  lastMessage: message.nullable(),
})

/** The virtual phones of the channel lab. */
export const lab = contract(at.lab, {
  list: {
    summary: 'Laboratório: telefones virtuais com a última mensagem de cada um',
    /** `most`: how many phones there may be. */
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
      /** Who of the group does it; left out: themselves. */
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
      /** Of a mailbox: what a mail is about that answers none. */
      subject: text(200).optional(),
      /** A recording, whatever container the browser put it in. */
      isVoice: formFlag,
      /** Passed on from another conversation. */
      isForwarded: formFlag,
      contact: contactCard.optional(),
      location: geoLocation.optional(),
      /** The group in which the phone writes; `@Name` mentions members. */
      groupId: z.coerce.number<string | number>().int().positive().optional(),
      durationMs: duration.optional(),
    }),
    returns: z.object({
      message,
      /** Milliseconds on the server from the request to the journal's commit; null while a fault keeps the message. */
      journalMs: z.number().nullable(),
      /** Milliseconds on the server altogether, so that the rest of a request's time is the way there and back. */
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
            /** In a group: which phone of it said this. */
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
      /** One emoji; empty takes the reaction away. */
      reaction: z.string().max(40).optional(),
      buttonId: text(256, 1).optional(),
      /** Of a poll: what is voted for; none takes the vote back. */
      options: z.array(text(100, 1)).max(12).optional(),
      /** The group of the message. */
      groupId: id.optional(),
    }),
    /** The message as it is on the phone now; the one that a press sends. */
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
      /** `away`, `back`, `kill` and `revive` are of the laboratory's WhatsApp: ten minutes without line, a dead server. */
      act: z.enum(['scan', 'cut', 'unlink', 'replace', 'ban', 'away', 'back', 'kill', 'revive']),
      /** scan: the code; left out: the one that the channel shows now. */
      code: z.string().max(400).optional(),
      /** scan: the number of the phone that reads. */
      number: text(30, 1).optional(),
    }),
    returns: done,
    errors: ['ERR_NO_WAPP_FOUND'],
  },
  trail: {
    summary: 'Laboratório: o que o produto fez com uma mensagem, com os horários dele',
    params: z.object({ id, messageId: uuid }),
    returns: z.object({
      /** The message in the attendance; null while it is on its way. */
      message: z
        .object({
          id: uuid,
          ticketId: z.number().int(),
          protocol: z.string(),
          queue: z.string().nullable(),
          isLate: z.boolean(),
          /** How many messages the attendance holds for this one; more than one would be a defect. */
          copies: z.number().int(),
        })
        .nullable(),
      steps: z.array(z.object({ step: z.string(), at: epochMs })),
    }),
    errors: ['ERR_NOT_FOUND'],
  },
})

/** Events of phones, sent to users of the laboratory only. */
export const labEvents = events(at.labEvents, {
  message,
  status: z.object({ phoneId: z.number().int(), ids: z.array(uuid), status }),
  /** A phone came, went, or has other faults. */
  changed: z.object({ phoneId: z.number().int() }),
  /** The team writes to the phone. */
  typing: z.object({ phoneId: z.number().int(), state: z.enum(['composing', 'recording', 'paused']) }),
  /** The lab did what a fault asked for. */
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
