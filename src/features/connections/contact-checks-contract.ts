import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { id } from '#kit/fields.ts'
import * as at from './provider-addresses.ts'

/** Contract of the background checks of contacts with their channels. */
export const contactChecks = contract(at.contactChecks, {
  checkAll: {
    summary: 'Perguntar ao canal que números dos contatos ele alcança; em segundo plano, sem pressa',
    mode: 'slow',
    body: z.strictObject({ whatsappId: id.optional() }).prefault({}),
    returns: z.object({
      message: z.literal('ok'),
      /** Number of phone numbers to check. */
      total: z.number().int(),
    }),
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_WAPP_NOT_INITIALIZED', 'ERR_CHANNEL_CANNOT'],
    audit: true,
  },
  removePictures: {
    summary: 'Esquecer as fotos dos contatos de um canal, como as que já não abrem',
    returns: z.object({ message: z.literal('ok'), removed: z.number().int() }),
    errors: ['ERR_NO_WAPP_FOUND'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    contactChecks: typeof contactChecks
  }
}
