import { type LoggedStatus, loggedAtBegin, loggedAtEnd, secondsOf } from '#domain/voice/calls.ts'
import { fail } from '#kit/errors.ts'
import { uuid } from '#kit/fields.ts'
import type { Feature } from '#server/feature.ts'
import type { Forgetting } from '#server/forgetting.ts'
import { implement } from '#server/http/route.ts'
import { COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import { calls } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { plan } from '../plan.ts'
import { deviceRoutes } from './devices.ts'
import { countCalls, eraseCalls, keysOfDevices, listCalls } from './queries.ts'
import { openSwitchboard } from './switchboard.ts'

type Row = Awaited<ReturnType<typeof listCalls>>[number]

function statusOf({ direction, answered_at, ended_at }: Row): LoggedStatus {
  if (ended_at) return loggedAtEnd(answered_at !== null)
  return answered_at ? 'Accepted' : loggedAtBegin(direction)
}

const callRoutes = implement(calls, {
  list: async ({ db, settings }, { query }) => {
    const { direction, unanswered, from, to, searchParam: search } = query
    const wanted = { search, direction, unanswered: unanswered !== undefined, from, to, zone: settings.timezone }
    const start = pageStartOf<[string]>(query, 1)
    if (start.after && !uuid.safeParse(start.after[0]).success)
      fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
    const { rows, paging } = pageOf(await listCalls(db, wanted, start), (row) => [row.id])
    return {
      calls: rows.map((row) => {
        const isIncoming = row.direction === 'incoming'
        return {
          id: row.id,
          direction: row.direction,
          callStatus: statusOf(row),
          deviceName: row.device_name,
          contactId: row.contact_id,
          contactName: row.name,
          userId: row.user_id,
          userName: row.user_name,
          originNumber: isIncoming ? row.number : row.device_number,
          destinationNumber: isIncoming ? row.device_number : row.number,
          callDuration: secondsOf(row.answered_at, row.ended_at),
          createdAt: row.created_at,
        }
      }),
      ...countOf(await countCalls(db, wanted, COUNTED)),
      ...paging,
    }
  },
})

/** Erases a forgotten person's numbers and names from the log of calls. */
export const forgetCalls: Forgetting = async ({ db }, { contactIds }) => {
  if (contactIds.length > 0) await eraseCalls(db, contactIds)
}

/** Server part of the feature `voice`: devices, calls by the browser, and their log. */
export const voiceFeature: Feature = {
  name: 'voice',
  titles: { voiceDevices: 'Ligações: linhas', calls: 'Ligações: registro' },
  errors,
  permissions,
  plan,
  routes: [...deviceRoutes, ...callRoutes],
  encryptedWith: keysOfDevices,
  attach: openSwitchboard,
}
