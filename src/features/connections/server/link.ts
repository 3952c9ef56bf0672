import { setTimeout as pause } from 'node:timers/promises'
import { CODE_SECONDS, losesKeys, type OutageCause, type StopCause } from '#domain/connections/causes.ts'
import { type ConnectionChange, type ConnectionState, stateAfter } from '#domain/connections/status.ts'
import { appendEvents, hasRoom, isBehind } from '#features/ledger/server/ingest/index.ts'
import { ledgerOf } from '#features/ledger/server/messages/index.ts'
import { findSent } from '#features/ledger/server/outbox/index.ts'
import { receivePresence } from '#features/messages/server/presence/index.ts'
import type { Link, LinkStatus, ProviderEvent } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { connectionEvents } from '../connection-events.ts'
import { findConnection, lockConnection, type StoredConnection, updateConnection } from './queries.ts'
import { findState, hasLease, type Lease, removeState, requireLease, writeState } from './queries-leases.ts'
import { listOutages, noteOutage, noteRecovery } from './queries-outages.ts'
import { type Code, isCodeShown, NO_CODE, shownRow } from './rows.ts'
import { decryptState, encryptState, requireName } from './state.ts'

const MOST_EVENTS = 1000
const MOST_BYTES = 8 * 1024 * 1024
/** Delay before an emit checks again whether the company's journal has room, in ms. */
const FULL_MS = 1000
/** Maximum number of times that earlier history yields to live events, and the delay between checks, in ms. */
const MOST_LOOKS = 50
const LOOK_MS = 20

/** Link of one opening of a connection, and the function that ends it. */
export type LinkOf = {
  readonly link: Link
  /** Blocks further writes and waits for pending ones. */
  end(): Promise<void>
}

/**
 * Creates the link of one opening: all its writes are ordered and checked against its lease. `onBroken` is called if a write
 * failed, or may have.
 */
export function makeLink(
  platform: Platform,
  lease: Lease & { readonly pairing?: string | null },
  use: {
    requireOwnership(): void
    onBroken(error: unknown): void
    /** Called after a state of the connection is written; `seconds` is the remaining lifetime of the code that it shows. */
    onStatus(state: ConnectionState, seconds: number | null): void
  },
): LinkOf {
  const { tenantId, connectionId, pairing = null } = lease
  const of = { tenantId, id: connectionId }
  const over = new AbortController()
  let turn: Promise<unknown> = Promise.resolve()
  const openedAt = platform.now()
  /** Time since which the connection is up (epoch ms), and number of recovered earlier messages. */
  let throughSince: number | null = null
  let recovered = 0

  const known = ledgerOf(platform, tenantId, connectionId)
  const requireOpen = () => {
    if (over.signal.aborted) throw new Error('this opening of the connection is over')
    use.requireOwnership()
  }
  // One after the other; writes after a failure fail too, so that the order is kept.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(async () => {
      requireOpen()
      return work()
    })
    turn = mine.catch((error) => {
      if (!over.signal.aborted) use.onBroken(error)
      over.abort()
    })
    return mine
  }
  // Earlier messages are fetched no faster than processed, so that live messages do not wait behind them.
  const giveWay = async () => {
    for (let looks = 0; looks < MOST_LOOKS && (await isBehind(platform, tenantId)); looks++)
      await pause(LOOK_MS, undefined, { signal: over.signal })
  }
  const write = (work: (ctx: Ctx) => Promise<void>) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      await requireLease(ctx.db, lease)
      await work(ctx)
    })

  const link: Link = {
    emit: (events, changes = new Map()) =>
      inTurn(async () => {
        requireSize(events)
        const entries = encryptState(platform, of, changes)
        while (events.length > 0 && !(await hasRoom(platform, tenantId)))
          await pause(FULL_MS, undefined, { signal: over.signal })
        if (events.some((event) => isEarlier(event, throughSince))) await giveWay()
        await write(async (ctx) => {
          for (const [to, own] of Map.groupBy(events, ({ elsewhere = connectionId }) => elsewhere))
            await appendEvents(ctx, to, own)
          await writeState(ctx.db, connectionId, entries)
          await platform.checkpoint('before emit commit')
        })
        recovered += events.filter((event) => isEarlier(event, throughSince)).length
        await platform.checkpoint('emit committed')
        // A process that was frozen acknowledges nothing, so that another process receives the message again.
        use.requireOwnership()
      }),
    state: {
      async get(names) {
        for (const name of names) requireName(name)
        requireOpen()
        const rows = await platform.db.read(tenantId, (db) => findState(db, connectionId, names))
        return new Map(rows.map(({ name, value }) => [name, decryptState(platform, of, name, value)]))
      },
      clear: () => inTurn(() => write((ctx) => removeState(ctx.db, connectionId))),
    },
    status: (status, about = {}) =>
      inTurn(async () => {
        const change = ({ qrcode: 'qrcode', PAIRING: 'pairing', CONNECTED: 'connected' } as const)[status]
        const next = await changeStatus(platform, lease, change, about)
        if (next?.status === 'CONNECTED') throughSince ??= platform.now().getTime()
        if (next) use.onStatus(next, next.status === 'qrcode' ? (about.seconds ?? CODE_SECONDS) : null)
      }),
    async presence(about) {
      requireOpen()
      await receivePresence(platform, { tenantId, connectionId, ...about })
    },
    caughtUp: (missing) =>
      inTurn(() =>
        write(async (ctx) => {
          await noteRecovery(ctx.db, connectionId, { recovered, missing, since: openedAt, now: ctx.now })
          await publishStatus(ctx, connectionId)
        }),
      ),
    ledger: {
      ...known,
      async store(file) {
        requireOpen()
        return known.store(file)
      },
    },
    async sent(providerId) {
      requireOpen()
      return findSent(platform, { tenantId, connectionId, providerId })
    },
    async awaySince() {
      requireOpen()
      const [newest] = await platform.db.read(tenantId, (db) =>
        listOutages(db, connectionId, { before: null, limit: 1 }),
      )
      return newest && newest.ended_at === null ? newest.began_at.getTime() : null
    },
    connection: { tenantId, connectionId },
    pairing,
  }
  return {
    link,
    async end() {
      over.abort()
      await turn
    },
  }
}

/** Details of a change of a connection's status. */
export type ChangeAbout = LinkStatus & { readonly cause?: OutageCause }

/**
 * Changes a connection's status under its lease, and publishes it; null, without a change, if not possible (it was
 * ended meanwhile).
 */
export const changeStatus = (
  platform: Platform,
  lease: Lease,
  change: ConnectionChange,
  about: ChangeAbout = {},
): Promise<ConnectionState | null> =>
  unit(platform, { tenantId: lease.tenantId, user: null }, async (ctx) => {
    await requireLease(ctx.db, lease)
    const row = await lockConnection(ctx.db, lease.connectionId)
    return row ? applyChange(ctx, row, change, about) : null
  })

/** Marks a connection whose process died as away, unless it has a new holder. */
export const changeAbandoned = (platform: Platform, lease: Lease): Promise<void> =>
  unit(platform, { tenantId: lease.tenantId, user: null }, async (ctx) => {
    const row = await lockConnection(ctx.db, lease.connectionId)
    if (row && openStatuses.has(row.status) && (await hasLease(ctx.db, lease)))
      await applyChange(ctx, row, 'lost', { cause: 'process' })
  })

/** Statuses of an open connection only; a holder that gives it back in order sets another one. */
const openStatuses: ReadonlySet<string> = new Set(['CONNECTED', 'PAIRING', 'qrcode'])

async function applyChange(
  ctx: Ctx,
  row: StoredConnection,
  change: ConnectionChange,
  about: ChangeAbout,
): Promise<ConnectionState | null> {
  const { seconds = CODE_SECONDS, number, cause } = about
  const { qrcode, pairingCode } = { qrcode: about.qrcode ?? null, pairingCode: about.pairingCode ?? null }
  const isShown = isCodeShown(row, ctx.now)
  // A repeated code is not counted, and not shown for longer.
  if (change === 'qrcode' && isShown && row.qrcode === qrcode && row.pairing_code === pairingCode) return stateOf(row)
  // The expired code was already replaced.
  if (change === 'expired' && isShown) return null
  const next = stateAfter(stateOf(row), change, cause)
  if (!next) return null
  const isCode = change === 'qrcode' && next.status === 'qrcode'
  const code = isCode
    ? { qrcode, pairing_code: pairingCode, code_expires_at: new Date(ctx.now.getTime() + seconds * 1000) }
    : NO_CODE
  await updateConnection(
    ctx.db,
    row.id,
    {
      ...{ status: next.status, retries: next.codes, cause: next.cause, ...code },
      ...(number === undefined ? {} : { number }),
    },
    ctx.now,
  )
  // All processes cache whether a connection is ended.
  if (next.status === 'DISCONNECTED') ctx.stale(`connection ${ctx.tenantId}:${row.id}`)
  if (change === 'end' && cause && losesKeys(cause as StopCause)) await removeState(ctx.db, row.id)
  await noteOutage(ctx.db, row.id, stateOf(row), next, ctx.now)
  const isSame = next.status === row.status && next.cause === row.cause && (number ?? row.number) === row.number
  // Programs show the code too, so a new code is published as a change of the connection.
  if (!isSame || isCode) await publishStatus(ctx, row.id)
  if (isCode || row.code_expires_at !== null) publishCode(ctx, row.id, { ...next, ...code })
  return next
}
/** Returns the state of a stored connection. */
export const stateOf = ({ status, retries, cause }: StoredConnection): ConnectionState => ({
  status,
  codes: retries,
  cause,
})

/** Publishes the code to read, or that there is none, to users who link devices. */
function publishCode(
  ctx: Ctx,
  id: number,
  { status, codes, qrcode, pairing_code, code_expires_at }: ConnectionState & Code,
): void {
  ctx.emit(
    connectionEvents.code,
    {
      action: 'update',
      session: {
        ...{ id, status, qrcode, retries: codes },
        ...{ pairingCode: pairing_code, codeExpiresAt: code_expires_at?.getTime() ?? null },
      },
    },
    { kind: 'permission', permission: 'connections:write' },
  )
}

/** Publishes a connection's state to users who may see connections. */
export async function publishStatus(ctx: Ctx, id: number): Promise<void> {
  const row = await findConnection(ctx.db, id)
  if (!row) return
  const whatsapp = { ...shownRow(row), updatedAt: row.updated_at.getTime() }
  ctx.emit(
    connectionEvents.changed,
    { action: 'update', whatsapp },
    { kind: 'permission', permission: 'connections:read' },
  )
}

const isEarlier = (event: ProviderEvent, since: number | null): boolean =>
  (event.type === 'message' || event.type === 'echo') &&
  event.message.type !== 'undecrypted' &&
  (since === null || event.message.timestamp < since)

function requireSize(events: readonly ProviderEvent[]): void {
  if (events.length > MOST_EVENTS) throw new Error(`more than ${MOST_EVENTS} events at once`)
  if (JSON.stringify(events).length > MOST_BYTES) throw new Error(`events of more than ${MOST_BYTES} bytes at once`)
}
