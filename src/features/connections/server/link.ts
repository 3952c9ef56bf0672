import { setTimeout as pause } from 'node:timers/promises'
import { type ConnectionChange, type ConnectionStatus, statusAfter } from '#domain/connections/status.ts'
import { appendEvents, hasRoom } from '#features/conversations/server/index.ts'
import type { Link, ProviderEvent } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { connectionEvents } from '../connection-events.ts'
import { findConnection, lockConnection, updateConnection } from './queries.ts'
import { findState, type Lease, removeState, requireLease, writeState } from './queries-leases.ts'
import { shownRow } from './rows.ts'
import { decryptState, encryptState, requireName } from './state.ts'

const MOST_EVENTS = 1000
const MOST_BYTES = 8 * 1024 * 1024
/** So long an emit waits before it looks again whether the company's journal takes more. */
const FULL_MS = 1000

/** What one opening of a connection may do, and what is to be known of it. */
export type LinkOf = {
  readonly link: Link
  /** Lets nothing pass any more; what is being written is waited for. */
  end(): Promise<void>
}

/**
 * The link of one opening: everything it writes is written under its lease, in its order. `onBroken` is called when
 * something was not written, or nobody knows.
 */
export function makeLink(
  platform: Platform,
  lease: Lease,
  use: { requireOwnership(): void; onBroken(error: unknown): void; onStatus(status: ConnectionStatus): void },
): LinkOf {
  const { tenantId, connectionId } = lease
  const of = { tenantId, id: connectionId }
  const over = new AbortController()
  let turn: Promise<unknown> = Promise.resolve()

  const requireOpen = () => {
    if (over.signal.aborted) throw new Error('this opening of the connection is over')
    use.requireOwnership()
  }
  // One after the other; what comes after a failure fails with it, so that nothing is written out of order.
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
        await write(async (ctx) => {
          await appendEvents(ctx, connectionId, events)
          await writeState(ctx.db, connectionId, entries)
          await platform.checkpoint('before emit commit')
        })
        await platform.checkpoint('emit committed')
        // Whoever was frozen meanwhile acknowledges nothing: it is stored, and another process is told of it again.
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
        if (next) use.onStatus(next)
      }),
  }
  return {
    link,
    async end() {
      over.abort()
      await turn
    },
  }
}

/**
 * Writes what has happened to a connection, under its lease, and tells it; null where that cannot be (it was ended
 * meanwhile), and nothing is changed.
 */
export const changeStatus = (
  platform: Platform,
  lease: Lease,
  change: ConnectionChange,
  { qrcode, number }: { qrcode?: string; number?: string } = {},
): Promise<ConnectionStatus | null> =>
  unit(platform, { tenantId: lease.tenantId, user: null }, async (ctx) => {
    await requireLease(ctx.db, lease)
    const row = await lockConnection(ctx.db, lease.connectionId)
    const next = row && statusAfter(row.status as ConnectionStatus, change)
    if (!next) return null
    const code = next === 'qrcode' ? (qrcode ?? null) : null
    const retries = next === 'CONNECTED' || change === 'open' ? 0 : row.retries + (code ? 1 : 0)
    const isSame = next === row.status && code === row.qrcode && (number ?? row.number) === row.number
    if (isSame && retries === row.retries) return next
    const changed = { status: next, qrcode: code, retries, ...(number === undefined ? {} : { number }) }
    await updateConnection(ctx.db, row.id, changed, ctx.now)
    // Whether a connection is ended is what every process knows of it.
    if (next === 'DISCONNECTED') ctx.stale(`connection ${ctx.tenantId}:${row.id}`)
    if (!isSame) await publishStatus(ctx, row.id)
    if (code !== row.qrcode)
      ctx.emit(
        connectionEvents.code,
        { action: 'update', session: { id: row.id, status: next, qrcode: code, retries } },
        { kind: 'permission', permission: 'connections:write' },
      )
    return next
  })

/** Tells everybody who may see connections how one stands. */
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

function requireSize(events: readonly ProviderEvent[]): void {
  if (events.length > MOST_EVENTS) throw new Error(`more than ${MOST_EVENTS} events at once`)
  if (JSON.stringify(events).length > MOST_BYTES) throw new Error(`events of more than ${MOST_BYTES} bytes at once`)
}
