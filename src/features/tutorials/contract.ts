import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { pageAnswer, rowTime } from '#kit/fields.ts'
import { resource } from '#kit/resource.ts'
import * as at from './addresses.ts'

const plain = resource({
  ...at.tutorialTable,
  table: 'tutorials',
  title: 'Tutoriais',
  singular: 'Tutorial',
  gender: 'm',
  fields: {
    title: { label: 'Título', kind: 'text', required: true, max: 120 },
    description: { label: 'Descrição', kind: 'longtext', max: 1000 },
    link: {
      label: 'Link',
      kind: 'url',
      required: true,
      hint: 'Um vídeo ou uma página; abre em outra aba.',
    },
    isActive: { label: 'Ativo', kind: 'boolean', column: 'is_active', default: true, filter: true, inList: true },
    position: { label: 'Posição', kind: 'order', inList: true },
  },
  search: ['title', 'description'],
  order: 'position',
  notFound: 'ERR_NO_TUTORIAL_FOUND',
})

const tutorial = z.object({
  id: z.number().int(),
  title: z.string(),
  description: z.string(),
  link: z.string(),
  isActive: z.boolean(),
  position: z.number().int(),
  /** URL of the picture; null if none. */
  thumbnail: z.string().nullable(),
  createdAt: rowTime,
  updatedAt: rowTime,
})

/** Tutorial, as API responses return it. */
export type Tutorial = z.output<typeof tutorial>

/** Resource of tutorials; inactive ones are visible to their editors only, so that the server part is hand-written. */
export const tutorials = {
  ...plain,
  ops: {
    ...plain.ops,
    list: { ...plain.ops.list, returns: z.object({ items: z.array(tutorial), ...pageAnswer }) },
    get: { ...plain.ops.get, returns: tutorial },
    create: { ...plain.ops.create, returns: tutorial },
    update: { ...plain.ops.update, returns: tutorial },
  },
} as const

/** API contract of tutorials' operations beyond their fields. */
export const tutorialExtras = contract(at.tutorialExtras, {
  duplicate: {
    summary: 'Copiar um tutorial; a cópia fica desativada',
    returns: tutorial,
    errors: ['ERR_NO_TUTORIAL_FOUND'],
    audit: true,
  },
  setThumbnail: {
    summary: 'Enviar a imagem de um tutorial',
    mode: 'slow',
    body: z.strictObject({}),
    returns: tutorial,
    errors: ['ERR_NO_TUTORIAL_FOUND', 'ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'],
    audit: true,
  },
  removeThumbnail: {
    summary: 'Tirar a imagem de um tutorial',
    returns: tutorial,
    errors: ['ERR_NO_TUTORIAL_FOUND'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    tutorials: (typeof tutorials)['ops']
    tutorialExtras: typeof tutorialExtras
  }
}
