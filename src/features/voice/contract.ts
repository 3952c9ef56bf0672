import { z } from 'zod'
import { maskName, maskValue, withhold } from '#domain/access/restricted.ts'
import { keysIn } from '#domain/keys.ts'
import { CALL_STATUSES, ENDINGS, LOGGED } from '#domain/voice/calls.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { day, done, epochMs, isoTime, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import { shapeOf } from '#kit/provider.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './addresses.ts'
import { deviceFields, deviceTable } from './table.ts'

const shape = shapeOf(deviceFields)
const deviceForm = z.strictObject({
  ...shape,
  number: shape.number.default(''),
  isActive: shape.isActive.default(true),
})

/** Input of a voice device; a masked token stays stored. */
export type DeviceForm = z.output<typeof deviceForm>

const device = z.object({ id: z.number().int(), ...shapeOf(deviceFields, { isDraft: true }) })

/** Voice device with its token masked. */
export type VoiceDevice = z.output<typeof device>

const deviceState = z.enum(['connecting', 'linking', 'open', 'closed'])

/** Contract of a company's voice devices (product facts 11.4). */
export const voiceDevices = contract(at.voiceDevices, {
  list: {
    summary: 'Linhas de voz da empresa, pelo nome; os tokens vêm mascarados',
    query: listQuery(deviceTable),
    returns: z.object({ items: z.array(device), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Uma linha de voz; o token vem mascarado', returns: device, errors: ['ERR_NO_VOICE_DEVICE_FOUND'] },
  create: { summary: 'Nova linha de voz', body: deviceForm, returns: device, errors: ['ERR_DUPLICATED'], audit: true },
  update: {
    summary: 'Alterar uma linha de voz; o token mascarado fica como está',
    body: deviceForm,
    returns: device,
    errors: ['ERR_NO_VOICE_DEVICE_FOUND', 'ERR_DUPLICATED'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma linha de voz; as ligações dela continuam no registro',
    returns: done,
    errors: ['ERR_NO_VOICE_DEVICE_FOUND'],
    audit: true,
  },
  state: {
    summary: 'Como está o dispositivo da linha agora, e o texto do QR Code que o conecta',
    mode: 'slow',
    returns: z.object({ state: deviceState, qrcode: z.string().nullable() }),
    errors: ['ERR_NO_VOICE_DEVICE_FOUND', 'ERR_RATE_LIMIT'],
  },
})

const count = z.number().int()
const direction = z.enum(['incoming', 'outgoing'])
const loggedCall = z.object({
  id: uuid,
  direction,
  callStatus: z.enum(keysIn(LOGGED)),
  deviceName: z.string(),
  contactId: count.nullable(),
  contactName: hidden(z.string(), maskName),
  originNumber: hidden(z.string(), maskValue),
  destinationNumber: hidden(z.string(), maskValue),
  userId: count.nullable(),
  userName: z.string().nullable(),
  /** Seconds from the answer to the end; 0 without an answer. */
  callDuration: count,
  createdAt: isoTime,
})

/** Call of the log. */
export type LoggedCall = z.output<typeof loggedCall>

/** Contract of the log of voice calls (product facts 11.4). */
export const calls = contract(at.calls, {
  list: {
    summary: 'Ligações feitas e recebidas, da mais nova à mais antiga',
    query: pageQuery.extend({
      direction: direction.optional(),
      /** Only unanswered calls. */
      unanswered: z.literal('true').optional(),
      /** First and last day, in the company's zone. */
      from: day.optional(),
      to: day.optional(),
    }),
    returns: z.object({ calls: z.array(loggedCall), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
})

const currentCall = z.object({
  id: uuid,
  /** Name and number (digits) of the other side. */
  tag: hidden(z.string(), maskName),
  phone: hidden(z.string(), maskValue),
  picture_profile: hidden(z.string().nullable(), withhold),
  status: z.enum(CALL_STATUSES),
  direction,
  /** Id and name of the device. */
  whatsapp_instance: count,
  inbox_name: z.string(),
  /** Time of the answer, and seconds since then. */
  active_start_date: epochMs.nullable(),
  duration: count,
  /** Id of the contact; null if unknown. */
  chat_id: count.nullable(),
  /** Whether the user talks, and whether on this page. */
  isOwn: z.boolean(),
  isHere: z.boolean(),
  /** Signal that ended the call; null while it lasts. */
  ending: z.enum(keysIn(ENDINGS)).nullable(),
})

/** Current call of a device, as one page sees it. */
export type CurrentCall = z.output<typeof currentCall>

const voiceState = z.object({
  devices: z.array(z.object({ id: count, name: z.string(), state: deviceState })),
  /** Own calls, and incoming ones not answered yet. */
  calls: z.array(currentCall),
})

/** Devices and calls, as one page sees them. */
export type VoiceState = z.output<typeof voiceState>

/** Events about voice devices and calls, for browsers. */
export const voiceEvents = events(at.voiceEvents, { state: voiceState })

/** Request of a page about calls, sent by its socket. */
export const voiceRequest = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('listen') }),
  z.strictObject({
    do: z.literal('call'),
    number: z.string().max(40),
    /** Device to call from; omitted: any that is free. */
    deviceId: count.optional(),
  }),
  z.strictObject({ do: z.literal('accept'), id: uuid }),
  z.strictObject({ do: z.literal('reject'), id: uuid }),
  z.strictObject({ do: z.literal('end'), id: uuid }),
  z.strictObject({ do: z.literal('mute'), id: uuid, isMuted: z.boolean() }),
])

/** Request of a page about calls. */
export type VoiceRequest = z.output<typeof voiceRequest>

/** Answer to a `VoiceRequest`: why it failed, null if it did not; the state after it comes as an event, in order. */
export type VoiceAnswer = { readonly error: string | null }

declare module '#kit/contract.ts' {
  interface Contracts {
    voiceDevices: typeof voiceDevices
    calls: typeof calls
  }
  interface Events {
    voiceEvents: typeof voiceEvents
  }
}
