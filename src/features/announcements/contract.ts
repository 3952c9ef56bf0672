import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, id, isoTime, pageAnswer, pageQuery } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { announcementForm } from './forms.ts'

const count = z.number().int()
const row = z.object({
  id: count,
  message: z.string(),
  userId: count,
  userName: z.string(),
  tenantId: count,
  tenantName: z.string(),
  isRead: z.boolean(),
  createdAt: isoTime,
})

/** Announcement to one user, with its read state. */
export type Announcement = z.output<typeof row>

const params = z.object({ noticeId: id })

/** API contract of announcements by the superadmin (product facts 11.3). */
export const announcements = contract(at.announcements, {
  list: {
    summary: 'Os avisos da instalação, um por pessoa, do mais novo ao mais antigo',
    mode: 'slow',
    query: pageQuery,
    returns: z.object({ notifications: z.array(row), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  create: {
    summary: 'Avisar as pessoas ativas de todas as empresas, ou de algumas',
    mode: 'slow',
    body: announcementForm,
    returns: z.object({ count }),
    errors: ['ERR_NOBODY_TO_TELL'],
    audit: true,
  },
  removeAll: { summary: 'Excluir todos os avisos', mode: 'slow', returns: z.object({ count }), audit: true },
  mine: {
    summary: 'O que a instalação me avisou e não li, do mais antigo ao mais novo',
    returns: z.object({
      notifications: z.array(z.object({ id: count, message: z.string(), authorName: z.string(), createdAt: isoTime })),
    }),
  },
  read: {
    summary: 'Marcar como lido um aviso meu',
    params,
    body: z.strictObject({ isRead: z.literal(true), userId: id.optional() }),
    returns: done,
    errors: ['ERR_NO_ANNOUNCEMENT_FOUND'],
  },
  remove: {
    summary: 'Excluir o aviso de uma pessoa',
    mode: 'slow',
    params,
    returns: done,
    errors: ['ERR_NO_ANNOUNCEMENT_FOUND'],
    audit: true,
  },
})

/** Events about announcements, for browsers. */
export const announcementEvents = events(at.announcementEvents, {
  created: z.object({ count }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    announcements: typeof announcements
  }
}
