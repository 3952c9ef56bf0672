import { sendMail } from '#features/mail/server/index.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { opportunityNotes } from '../notes-contract.ts'
import { findNote, insertNote, pageOfNotes, removeNote } from './queries-notes.ts'
import { cardOf } from './view.ts'
import { publish } from './write.ts'

const PAGE = 20

type Row = NonNullable<Awaited<ReturnType<typeof findNote>>>

const mayRemove = ({ id, profile }: Actor, { userId }: Row): boolean => profile !== 'user' || userId === id
const shownTo = (user: Actor, row: Row) => {
  const { opportunityId: _, ...note } = row
  return { ...note, mayRemove: mayRemove(user, row) }
}

async function addNote(ctx: Ctx & { readonly user: Actor }, opportunityId: number, text: string) {
  const id = await insertNote(ctx.db, { opportunityId, userId: ctx.user.id, text }, ctx.now)
  ctx.audit({ after: { id, opportunityId } })
  publish(ctx, [opportunityId], [])
  return shownTo(ctx.user, required(await findNote(ctx.db, id), 'ERR_NO_OPPORTUNITY_NOTE_FOUND'))
}

/** Route handlers of notes, visible to users who see the opportunity. */
export const noteRoutes = implement(opportunityNotes, {
  list: async (ctx, { params: { id }, query: { cursor } }) => {
    await cardOf(ctx, id)
    const before = cursor ? Number(decodeCursor(cursor, 1)[0]) : null
    if (before !== null && !Number.isSafeInteger(before))
      fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
    const rows = await pageOfNotes(ctx.db, id, before, PAGE + 1)
    const shown = rows.slice(0, PAGE)
    const last = shown.at(-1)
    return {
      data: shown.map((row) => shownTo(ctx.user, row)),
      nextCursor: rows.length > PAGE && last ? encodeCursor([last.id]) : null,
    }
  },
  create: async (ctx, { params: { id }, body: { text } }) => {
    await cardOf(ctx, id)
    return addNote(ctx, id, text)
  },
  mail: async (ctx, { params: { id }, body: { subject, text } }) => {
    const { contact } = await cardOf(ctx, id)
    if (!contact.email.includes('@')) fail('ERR_NO_CONTACT_EMAIL')
    await sendMail(ctx, { to: contact.email, subject, template: { title: subject, lines: text.split(/\n+/) } })
    return addNote(ctx, id, `E-mail enviado: ${subject}\n${text}`)
  },
  remove: async (ctx, { params: { noteId } }) => {
    const note = required(await findNote(ctx.db, noteId), 'ERR_NO_OPPORTUNITY_NOTE_FOUND')
    await cardOf(ctx, note.opportunityId).catch(() => fail('ERR_NO_OPPORTUNITY_NOTE_FOUND'))
    if (!mayRemove(ctx.user, note)) fail('ERR_NO_PERMISSION')
    await removeNote(ctx.db, noteId)
    ctx.audit({ before: { id: noteId, opportunityId: note.opportunityId } })
    publish(ctx, [note.opportunityId], [])
    return { message: 'ok' }
  },
})
