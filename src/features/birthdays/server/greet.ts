import { localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { birthdaysFrom } from '#domain/contacts/birthdays.ts'
import { writeToContacts } from '#features/tickets/server/begin/index.ts'
import type { ErrorCode } from '#kit/errors.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import {
  type BirthdayOf,
  claimGreetings,
  findDue,
  listSettings,
  refuseGreetings,
  type StoredSetting,
  tenantsThatGreet,
} from './queries.ts'

const BLOCK = 50
/** Error codes of a connection that cannot reach a contact while another may. */
const OF_CONNECTION: readonly string[] = [
  'ERR_WAPP_CHECK_CONTACT',
  'ERR_WINDOW_CLOSED',
  'ERR_FILE_NOT_CARRIED',
] satisfies ErrorCode[]

/** Default greeting settings of a connection. */
export const USUAL = {
  isOn: false,
  hour: 9,
  message: 'Feliz aniversário, {{firstName}}! Desejamos um dia muito especial para você.',
} as const

/** Returns the company's local time. */
export const clockOf = ({ now, settings }: Pick<Ctx, 'now' | 'settings'>) =>
  localTime(now.getTime(), offsetMinutes(settings.timezone, now.getTime()))

/**
 * Sends greetings by a connection, each in the contact's conversation; returns the contacts without greeting and the
 * reasons. Runs in the caller's transaction, so that the record and the message are stored together and no contact gets two.
 */
export async function greet(
  ctx: Ctx,
  people: readonly BirthdayOf[],
  setting: StoredSetting,
): Promise<{ queued: number; skipped: { contactId: number; code: string }[] }> {
  const claimed = await claimGreetings(ctx.db, people, setting.id, ctx.now)
  const mine = people.filter(({ id }) => claimed.has(id))
  const refusals = await writeToContacts(ctx, {
    connectionId: setting.id,
    contactIds: mine.map(({ id }) => id),
    body: setting.message ?? USUAL.message,
    file: setting.file_id && setting.file_mime ? { id: setting.file_id, mime: setting.file_mime } : null,
    sendType: 'birthday',
  })
  const refused = mine.flatMap(({ id, year }) => {
    const code = refusals.get(id)
    return code ? [{ id, year, code }] : []
  })
  if (refused.length > 0) await refuseGreetings(ctx.db, refused)
  const skipped = refused.map(({ id, code }) => ({ contactId: id, code }))
  const greeted = people.filter(({ id }) => !claimed.has(id)).map(({ id }) => id)
  return {
    queued: mine.length - refused.length,
    skipped: [...skipped, ...greeted.map((contactId) => ({ contactId, code: 'ERR_ALREADY_GREETED' }))],
  }
}

/** Sends the greetings of today's birthdays in every company whose hour has come; several processes may run it concurrently. */
export async function greetAll(platform: Platform): Promise<void> {
  for (const tenantId of await platform.db.asPlatform(tenantsThatGreet)) {
    for (let more = true; more; more = await greetSome(platform, tenantId));
  }
}

const greetSome = (platform: Platform, tenantId: number): Promise<boolean> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const today = clockOf(ctx)
    const due = (await listSettings(ctx.db)).filter(({ is_on, hour }) => is_on && today.hour >= (hour ?? USUAL.hour))
    if (due.length === 0) return false
    const people = await findDue(ctx.db, birthdaysFrom(today, 'today'), BLOCK)
    if (people.length === 0) return false
    // By the first connection that reaches them.
    let left = people
    for (const setting of due) {
      const { skipped } = await greet(ctx, left, setting)
      const away = new Set(skipped.filter(({ code }) => OF_CONNECTION.includes(code)).map(({ contactId }) => contactId))
      left = left.filter(({ id }) => away.has(id))
      if (left.length === 0) break
    }
    await platform.checkpoint('birthdays noted')
    return people.length === BLOCK
  })
