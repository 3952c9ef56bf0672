import { lastOf } from '#domain/present.ts'
import type { LocalEnd } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'
import { shownNumber } from './from-phone.ts'
import { groupsOfConnection, phonesOf } from './queries.ts'
import type { PhoneRow } from './rows.ts'

const PAGE = 100

/** Returns the contacts and groups of a channel of virtual phones: the people on them, and their groups. */
export const bookOf = (platform: Platform): Pick<NonNullable<LocalEnd['answers']>, 'contacts' | 'groups'> => ({
  async contacts({ tenantId, connectionId, after }) {
    const start = { after: after === null ? 0 : Number(after), limit: PAGE }
    const { rows } = await platform.db.read(tenantId, (db) => phonesOf(db, connectionId, start))
    return {
      contacts: rows.filter((row) => !row.is_group).map(toContact),
      next: rows.length === PAGE ? String(lastOf(rows).id) : null,
    }
  },
  async groups({ tenantId, connectionId }) {
    const rows = await platform.db.read(tenantId, (db) => groupsOfConnection(db, connectionId))
    return rows.map(({ number, name }) => ({ key: number, name }))
  },
})

const toContact = (row: PhoneRow) => ({ identity: shownNumber(row), name: row.name, number: row.number })
