import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { flag, numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'
import type { Attendee, EventDraft, RemoteChange, RemoteEvent, Span } from '../port.ts'

const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOST_ATTENDEES = 200
/** Name under which an event stores our stamp. */
const STAMP = 'guicheStamp'

const moment = record({ date: text, dateTime: text })
const person = record({ email: text, displayName: text, responseStatus: text, self: flag })
const override = record({ method: text, minutes: numberOrText })
const given = record({
  ...{ id: text, etag: text, status: text, summary: text, description: text, location: text, htmlLink: text },
  ...{ hangoutLink: text, visibility: text, recurringEventId: text, eventType: text, start: moment, end: moment },
  ...{ attendees: z.array(person), organizer: person, guestsCanModify: flag },
  reminders: record({ useDefault: flag, overrides: z.array(override) }),
  conferenceData: record({ entryPoints: z.array(record({ entryPointType: text, uri: text })) }),
  extendedProperties: record({ private: z.record(z.string(), z.unknown()) }),
})
type Given = z.output<typeof given>

/** Schema of a page of a list, limited to the fields that are read. */
export const eventPage = record({
  items: z.array(z.unknown()),
  ...{ nextPageToken: text, nextSyncToken: text, accessRole: text },
})

/** Parses an item of a list into a change of an event; null if it names none. */
export function changeOf(item: unknown, mayWrite = true): RemoteChange | null {
  const event = readOutside(given, item)?.data
  if (!event?.id) return null
  return { remoteId: event.id, event: event.status === 'cancelled' ? null : read(event, mayWrite) }
}

/** Converts an event; null if invalid or deleted. */
export const eventOf = (item: unknown): RemoteEvent | null => changeOf(item)?.event ?? null

function read(event: Given, mayWrite: boolean): RemoteEvent | null {
  const span = spanOf(event)
  if (!span) return null
  const isPlain = event.eventType === undefined || event.eventType === 'default'
  const isOurs = event.organizer?.self !== false || event.guestsCanModify === true
  return {
    ...{ remoteId: event.id!, etag: event.etag ?? '', span, stamp: stampOf(event) },
    ...{ summary: event.summary ?? '', description: event.description ?? '', location: event.location ?? '' },
    attendees: (event.attendees ?? []).slice(0, MOST_ATTENDEES).flatMap((one) => attendeeOf(one) ?? []),
    reminderMinutes: reminderOf(event),
    ...{ meetUrl: meetOf(event), url: addressOf(event.htmlLink) },
    isPrivate: event.visibility === 'private' || event.visibility === 'confidential',
    isRecurring: event.recurringEventId !== undefined,
    isEditable: mayWrite && isPlain && isOurs,
  }
}

function spanOf({ start, end }: Given): Span | null {
  if (start?.date && DAY.test(start.date)) {
    // Google's end date is the day after the last one.
    const behind = Date.parse(end?.date && DAY.test(end.date) ? end.date : start.date)
    const last = new Date(behind - DAY_MS).toISOString().slice(0, 10)
    return { isAllDay: true, firstDay: start.date, lastDay: last < start.date ? start.date : last }
  }
  const [from, to] = [Date.parse(start?.dateTime ?? ''), Date.parse(end?.dateTime ?? '')]
  if (!Number.isFinite(from)) return null
  return { isAllDay: false, start: from, end: Number.isFinite(to) && to > from ? to : from }
}

const RESPONSES = ['accepted', 'declined', 'tentative', 'needsAction'] as const

function attendeeOf({ email = '', displayName = '', responseStatus }: z.output<typeof person>): Attendee | null {
  if (!email.includes('@')) return null
  return { email, name: displayName, response: RESPONSES.find((one) => one === responseStatus) ?? '' }
}

function reminderOf({ reminders }: Given): number | null {
  if (reminders?.useDefault !== false) return null
  const minutes = reminders.overrides?.find(({ method }) => method === 'popup')?.minutes
  return minutes !== undefined && Number.isSafeInteger(minutes) && minutes >= 0 ? minutes : null
}

function meetOf({ hangoutLink, conferenceData }: Given): string {
  const video = conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')?.uri
  return addressOf(hangoutLink ?? video)
}

const addressOf = (given: string | undefined): string =>
  given !== undefined && /^https?:$/.test(URL.parse(given)?.protocol ?? '') ? given : ''

function stampOf({ extendedProperties }: Given): number | null {
  const stamp = Number(extendedProperties?.private?.[STAMP] ?? Number.NaN)
  return Number.isSafeInteger(stamp) ? stamp : null
}

/** Converts an event for Google; fields of the other form of its times are removed. */
export function bodyOf(remoteId: string, draft: EventDraft): object {
  const { summary, description, location, span, timeZone, attendees, reminderMinutes, meet, stamp } = draft
  const at = (moment: number) => ({ dateTime: new Date(moment).toISOString(), timeZone, date: null })
  const on = (day: string) => ({ date: day, dateTime: null, timeZone: null })
  const behind = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
  const request = { requestId: `${remoteId}-${stamp}`, conferenceSolutionKey: { type: 'hangoutsMeet' } }
  return {
    ...{ summary, description, location },
    start: span.isAllDay ? on(span.firstDay) : at(span.start),
    end: span.isAllDay ? on(behind(span.lastDay)) : at(span.end),
    attendees: attendees.map(({ email, name, response }) => ({
      email,
      ...(name ? { displayName: name } : {}),
      ...(response ? { responseStatus: response } : {}),
    })),
    reminders:
      reminderMinutes === null
        ? { useDefault: true, overrides: [] }
        : { useDefault: false, overrides: [{ method: 'popup', minutes: reminderMinutes }] },
    ...(meet === 'add' ? { conferenceData: { createRequest: request } } : {}),
    ...(meet === 'remove' ? { conferenceData: null } : {}),
    extendedProperties: { private: { [STAMP]: String(stamp) } },
  }
}
