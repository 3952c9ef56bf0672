import { z } from 'zod'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { contract } from '#kit/contract.ts'
import { done, id, pageAnswer, rowTime, uuid } from '#kit/fields.ts'
import { resource } from '#kit/resource.ts'
import { fastReplyTable } from './addresses.ts'
import * as uses from './uses-addresses.ts'

const plain = resource({
  ...fastReplyTable,
  table: 'fast_replies',
  title: 'Mensagens Rápidas',
  singular: 'Mensagem rápida',
  gender: 'f',
  fields: {
    key: { label: 'Chave', kind: 'text', required: true, max: 40, hint: 'O que se digita depois de / na conversa.' },
    title: { label: 'Título', kind: 'text', max: 80 },
    message: { label: 'Mensagem', kind: 'template', required: true, max: 4000, variables: TEMPLATE_VARIABLES },
    queueId: {
      label: 'Fila',
      kind: 'reference',
      column: 'queue_id',
      to: { table: 'queues', list: uses.queueList, name: 'queue' },
      hint: 'Oferecida só nos atendimentos dela. Em branco, em todos.',
    },
    voice: {
      label: 'Enviar como Áudio Gravado',
      kind: 'boolean',
      default: false,
      hint: 'Os áudios anexados chegam como se fossem gravados na hora.',
    },
    isPublic: {
      label: 'Compartilhar com todos',
      kind: 'boolean',
      column: 'is_public',
      default: true,
      hint: 'Desligado, só você vê e usa esta mensagem.',
    },
  },
  search: ['key', 'title', 'message'],
  order: 'key',
  notFound: 'ERR_NO_FAST_REPLY_FOUND',
})

const file = z.object({ id: z.string(), name: z.string(), mime: z.string(), size: z.number().int(), url: z.string() })

const reply = z.object({
  id: z.number().int(),
  key: z.string(),
  title: z.string(),
  message: z.string(),
  queueId: z.number().int().nullable(),
  voice: z.boolean(),
  isPublic: z.boolean(),
  /** Files sent with it, in order. */
  files: z.array(file),
  /** Number of times it was sent. */
  uses: z.number().int(),
  /** Whether the requesting user may change and delete it: own ones, and for leads the shared ones. */
  mayChange: z.boolean(),
  createdAt: rowTime,
  updatedAt: rowTime,
})

/** Quick reply, as API responses return it. */
export type FastReply = z.output<typeof reply>

/**
 * Resource of quick replies. Users see shared ones and their own, so that rows depend on the user and the server part is
 * hand-written.
 */
export const fastReplies = {
  ...plain,
  ops: {
    ...plain.ops,
    list: { ...plain.ops.list, returns: z.object({ items: z.array(reply), ...pageAnswer }) },
    get: { ...plain.ops.get, returns: reply },
    create: { ...plain.ops.create, returns: reply, errors: ['ERR_FAST_REPLY_EXISTS'] },
    update: {
      ...plain.ops.update,
      returns: reply,
      errors: ['ERR_NO_FAST_REPLY_FOUND', 'ERR_NO_PERMISSION', 'ERR_FAST_REPLY_EXISTS'],
    },
    remove: { ...plain.ops.remove, errors: ['ERR_NO_FAST_REPLY_FOUND', 'ERR_NO_PERMISSION'] },
  },
} as const

/** API contract of quick replies' files and use counts. */
export const fastReplyFiles = contract(uses.fastReplyFiles, {
  add: {
    summary: 'Anexar arquivos a uma mensagem rápida, até dez',
    mode: 'slow',
    body: z.strictObject({}),
    returns: reply,
    errors: [
      ...(['ERR_NO_FAST_REPLY_FOUND', 'ERR_NO_PERMISSION', 'ERR_MAX_FAST_REPLY_FILES'] as const),
      ...(['ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'] as const),
    ],
    audit: true,
  },
  remove: {
    summary: 'Tirar um arquivo de uma mensagem rápida',
    params: z.object({ id, fileId: uuid }),
    returns: reply,
    errors: ['ERR_NO_FAST_REPLY_FOUND', 'ERR_NO_FAST_REPLY_FILE_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
  use: {
    summary: 'Contar um envio de uma mensagem rápida',
    returns: done,
    errors: ['ERR_NO_FAST_REPLY_FOUND'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    fastReplies: (typeof fastReplies)['ops']
    fastReplyFiles: typeof fastReplyFiles
  }
}
