import { isRecord } from '#domain/keys.ts'
import { partBefore } from '#domain/present.ts'
import type { Operation } from '#kit/contract.ts'
import type { ErrorCode } from '#kit/errors.ts'
import type { Actor } from '../actors.ts'
import { type AuditDetails, type AuditEvent, writeAudit } from '../audit.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/db.ts'
import type { Platform } from '../platform.ts'
import { findSessionFacts } from './queries.ts'
import type { RequestInfo } from './route.ts'

type Given = { params?: unknown; body?: unknown }

/** Program that acts for a user, as recorded: its own name, and the prompt that it was given. */
export type Agent = { readonly client: string; readonly prompt: string }

/** Origin of a request: a session, or a program. */
export type AskedBy = { readonly sessionId: string } | { readonly method: 'api'; readonly agent?: Agent }

/** Collects the audit details of one request to an operation with `audit: true`, and records them. */
export function audited(
  platform: Platform,
  op: Operation,
  { actor, by, info }: { actor: Actor; by: AskedBy; info: RequestInfo },
) {
  // Operations on the installation are recorded in its log, and in that of the affected company.
  const isOfPlatform = op.can.startsWith('platform:')
  const recorded: AuditDetails[] = []
  let waiting: (() => Promise<void>) | undefined
  const eventOf = async (db: Queryable, given: Given, answer: unknown, result?: ErrorCode): Promise<AuditEvent> => {
    const details: AuditDetails = Object.assign({}, ...recorded)
    return {
      ...(await eventBy(db, op, { actor, by, info }, details, { given, answer })),
      ...(result ? { result } : {}),
    }
  }

  /** Records the request in a transaction of its own. */
  async function after(given: Given, answer: unknown, result?: ErrorCode): Promise<void> {
    const event = await platform.db.read(actor.tenantId, (db) => eventOf(db, given, answer, result))
    if (!isOfPlatform)
      return platform.db.write(actor.tenantId, (db) => writeAudit(db, platform, actor.tenantId, [event]))
    await platform.db.asPlatform(async (db) => {
      // A refused request is recorded in the installation's log only: its address may name any company.
      const tenantId = result ? 0 : Number(event.target?.['tenantId'])
      const exists =
        tenantId > 0 && (await db.selectFrom('tenants').select('id').where('id', '=', tenantId).executeTakeFirst())
      if (exists) await writeAudit(db, platform, tenantId, [event])
      await writeAudit(db, platform, 'platform', [event])
    })
  }

  return {
    /** Adds details from the use case. */
    add: (details: AuditDetails) => void recorded.push(details),
    after,
    /** Records it with the change itself; the installation's log is another database role's, and written by `finish`. */
    async within(ctx: Ctx, given: Given, answer: unknown): Promise<void> {
      if (isOfPlatform) waiting = () => after(given, answer)
      else ctx.record(await eventOf(ctx.db, given, answer))
    },
    finish: async (): Promise<void> => waiting?.(),
    /** Records a refusal, at most ten a minute per user. */
    async refused(given: Given, code: ErrorCode): Promise<void> {
      const isFew = await platform.limits.use('refusals', `${actor.tenantId}:${actor.id}`).then(
        () => true,
        () => false,
      )
      if (isFew) await after(given, null, code)
    },
  }
}

/** Describes a request to an operation, with the details that its use case recorded. */
async function eventBy(
  db: Queryable,
  op: Operation,
  { actor, by, info }: { actor: Actor; by: AskedBy; info: RequestInfo },
  details: AuditDetails,
  { given, answer }: { given: Given; answer: unknown },
): Promise<AuditEvent> {
  const { method, is_support } =
    'sessionId' in by ? await findSessionFacts(db, by.sessionId) : { method: by.method, is_support: false }
  return {
    action: op.name,
    // The part after the semicolon is for readers of the API.
    summary: partBefore(op.summary, ';'),
    actor: { id: actor.id, name: actor.name, profile: actor.profile, isSupport: is_support, method },
    from: info,
    fields: details.before || details.after ? [] : namesOf(given.body),
    ...details,
    target: {
      ...idsOf(answer, /^id$/),
      ...idsOf(given.body, /^id$|Id$/),
      ...idsOf(given.params, /./),
      ...details.target,
      ...('agent' in by ? by.agent : {}),
    },
  }
}

const namesOf = (body: unknown): string[] => (isRecord(body) ? Object.keys(body) : [])

// Ids that identify a record: the answer's `id`, a body's `queueId`, parameters of the path.
function idsOf(value: unknown, names: RegExp): Record<string, string | number> {
  if (typeof value !== 'object' || value === null) return {}
  const isId = ([name, one]: [string, unknown]) =>
    names.test(name) && ['string', 'number'].includes(typeof one) && String(one).length <= 100
  return Object.fromEntries(Object.entries(value).filter(isId))
}
