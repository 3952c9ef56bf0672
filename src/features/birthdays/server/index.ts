import { birthdaysFrom } from '#domain/contacts/birthdays.ts'
import { firstOf, lookUp } from '#domain/present.ts'
import { loadContacts, onlyFor, serializeContact } from '#features/contacts/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { errorText, fail, required } from '#kit/errors.ts'
import { type Actor, mayUseConnection } from '#server/actors.ts'
import { type ReadCtx, unit } from '#server/context.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { storeUpload } from '#server/files/store.ts'
import { implement } from '#server/http/route.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import { birthdays } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { clockOf, greet, greetAll, USUAL } from './greet.ts'
import {
  countOfBirthdays,
  findGreetings,
  findToGreet,
  listSettings,
  pageOfBirthdays,
  type StoredSetting,
  saveSetting,
} from './queries.ts'

const EVERY_MS = 20_000
/** Maximum number of greetings per request; the next request continues. */
const MOST = 500

const routes = implement(birthdays, {
  list: async (ctx, { query }) => {
    const days = birthdaysFrom(clockOf(ctx), query.range)
    const start = exactPageStartOf<[number, number]>(query, 2)
    const found = await pageOfBirthdays(ctx.db, days, { onlyFor: onlyFor(ctx), ...start })
    const { rows, paging } = pageOf(found, ({ position, id }) => [position, id])
    const ids = rows.map(({ id }) => id)
    const contacts = new Map((await loadContacts(ctx.db, ids)).map((row) => [row.id, row]))
    const greetings = new Map((await findGreetings(ctx.db, rows)).map((row) => [row.id, row]))
    return {
      birthdays: rows.map(({ id, position, year }) => {
        const { name, number, profilePicUrl, birthdayDate, blocked } = serializeContact(
          ctx.platform,
          lookUp(contacts, id),
        )
        const greeting = greetings.get(id)
        return {
          ...{ id, name, number, profilePicUrl, birthdayDate, blocked },
          days: position,
          age: year - Number(birthdayDate.slice(0, 4)),
          greeting: greeting
            ? {
                ...{ code: greeting.code, at: greeting.created_at, whatsappId: greeting.connection_id },
                text: greeting.code && errorText(greeting.code),
              }
            : null,
        }
      }),
      count: rows.length,
      countIsCapped: paging.hasMore,
      ...paging,
    }
  },
  settings: async ({ db }) => ({ settings: (await listSettings(db)).map(serialize) }),
  save: ({ platform, tenantId, user }, { params, body, files }) =>
    unit(platform, { tenantId, user }, async (ctx) => {
      required((await listSettings(ctx.db, params.id))[0], 'ERR_NO_WAPP_FOUND')
      const { isOn, hour, message, removeFile } = body
      const [file] = files
      await saveSetting(ctx.db, {
        ...{ connection_id: params.id, is_on: isOn, hour, message, updated_at: ctx.now },
        ...(file ? { file_id: await storeUpload(ctx, file) } : removeFile ? { file_id: null } : {}),
      })
      return serialize(firstOf(await listSettings(ctx.db, params.id)))
    }),
  send: async (ctx, { body: { whatsappId, contactIds } }) => {
    const [setting] = await listSettings(ctx.db, whatsappId)
    if (!setting) return fail('ERR_NO_WAPP_FOUND')
    if (!mayUseConnection(ctx.user, ctx.settings, whatsappId)) fail('ERR_NO_PERMISSION')
    const ids = contactIds ?? null
    const most = { onlyFor: onlyFor(ctx), ids, most: MOST }
    const people = await findToGreet(ctx.db, birthdaysFrom(clockOf(ctx), 'today'), most)
    const { queued, skipped } = await greet(ctx, people, setting)
    const today = new Set(people.map(({ id }) => id))
    const others = [...new Set(ids)].filter((contactId) => !today.has(contactId))
    return { queued, skipped: [...skipped, ...others.map((contactId) => ({ contactId, code: 'ERR_NO_BIRTHDAY' }))] }
  },
})

const serialize = (row: StoredSetting): Returned<typeof birthdays.save> => ({
  ...{ whatsappId: row.id, name: row.name, type: row.type, fileName: row.file_name },
  ...{ isOn: row.is_on ?? USUAL.isOn, hour: row.hour ?? USUAL.hour, message: row.message ?? USUAL.message },
})

/** Counts the visible contacts with a birthday today. */
export const countBirthdays = (ctx: ReadCtx & { user: Actor }): Promise<number> =>
  countOfBirthdays(ctx.db, birthdaysFrom(clockOf(ctx), 'today'), onlyFor(ctx))

/** Server part of the feature `birthdays`: birthdays of contacts and greetings. */
export const birthdaysFeature: Feature = {
  name: 'birthdays',
  titles: { birthdays: 'Aniversários' },
  permissions,
  errors,
  routes,
  start(platform) {
    if (!plays(platform.env, 'worker')) return async () => {}
    let round = Promise.resolve()
    const timer = setInterval(() => {
      round = round
        .then(() => greetAll(platform))
        .catch((err: unknown) => platform.log.warn({ err }, 'birthdays could not be congratulated'))
    }, EVERY_MS)
    return async () => {
      clearInterval(timer)
      await round
    }
  },
}
