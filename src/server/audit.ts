import { type AuditEventName, auditEvents, isSecretName } from '#kit/audit.ts'
import { type AuditRecord, appendRecords, type Chain } from './audit-chain.ts'
import { type Tx, transactionTime } from './db/db.ts'
import type { Platform } from './platform.ts'
import { sanitizeForPostgres } from './sanitize.ts'

/** Author of an audit record: a user as far as known, and how the session was opened. */
export type AuditActor = {
  readonly id: number
  readonly name: string
  readonly profile?: string
  readonly isSupport?: boolean
  readonly method?: string
}

/**
 * Details of an audit record.
 * - `target`: names and ids of the object (`{ id: 7 }`).
 * - `before`, `after`: only differing fields are stored, never values of secret-sounding fields.
 * - `fields`: names of changed fields whose values must not be stored.
 */
export type AuditDetails = {
  readonly target?: Readonly<Record<string, string | number>>
  readonly before?: object
  readonly after?: object
  readonly fields?: readonly string[]
}

/**
 * Audit record to write: event (of `kit/audit.ts`, or an operation with its summary), user (null if unknown), origin, and
 * result ('ok' or an error code).
 */
export type AuditEvent = AuditDetails & {
  readonly actor: AuditActor | null
  readonly from?: { readonly ip: string; readonly userAgent: string; readonly id: string }
  readonly result?: string
} & (
    | { readonly action: AuditEventName; readonly summary?: undefined }
    | { readonly action: string; readonly summary: string }
  )

/**
 * Records an event that is no operation, in a transaction of its own, in a tenant's log or the installation's. Within a unit
 * of work use `ctx.record`, which belongs to its transaction; within `asPlatform`, `writeAudit`.
 */
export async function recordAudit(platform: Platform, chain: Chain, event: AuditEvent): Promise<void> {
  const write = (db: Tx) => writeAudit(db, platform, chain, [event])
  if (chain === 'platform') await platform.db.asPlatform(write)
  else await platform.db.write(chain, write)
}

/** Adds events to the end of a log, within a transaction that is about to end. */
export async function writeAudit(
  db: Tx,
  { secrets }: Pick<Platform, 'secrets'>,
  chain: Chain,
  events: readonly AuditEvent[],
): Promise<void> {
  const at = transactionTime(db)
  await appendRecords(
    db,
    secrets,
    chain,
    events.map((event) => sanitizeForPostgres(recordOf(event, at))),
  )
}

const recordOf = (event: AuditEvent, at: Date): Omit<AuditRecord, 'seq'> => ({
  at,
  action: event.action,
  summary: event.summary ?? auditEvents[event.action],
  result: event.result ?? 'ok',
  user_id: event.actor?.id ?? null,
  user_name: event.actor?.name ?? '',
  profile: event.actor?.profile ?? '',
  is_support: event.actor?.isSupport ?? false,
  method: event.actor?.method ?? '',
  ip: event.from?.ip ?? '',
  user_agent: (event.from?.userAgent ?? '').slice(0, 300),
  request_id: event.from?.id ?? '',
  target: event.target ?? {},
  changes: changesOf(event),
})

type Change = { before?: unknown; after?: unknown }

/** Returns per field the old and new value, or only the name where values must not be stored. */
export function changesOf({ before = {}, after = {}, fields = [] }: AuditDetails): Record<string, Change> {
  const changes: Record<string, Change> = Object.fromEntries(fields.map((name) => [name, {}]))
  const was = new Map(Object.entries(before))
  const is = new Map(Object.entries(after))
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    if (JSON.stringify(was.get(name)) === JSON.stringify(is.get(name))) continue
    changes[name] = isSecretName(name)
      ? {}
      : {
          ...(was.has(name) ? { before: shown(was.get(name)) } : {}),
          ...(is.has(name) ? { after: shown(is.get(name)) } : {}),
        }
  }
  return changes
}

const LONGEST = 500

// A value for long-term storage: without secrets inside, and of limited length.
function shown(value: unknown): unknown {
  const text = JSON.stringify(value ?? null, (name, one: unknown) => (name && isSecretName(name) ? '••••' : one))
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : JSON.parse(text)
}
