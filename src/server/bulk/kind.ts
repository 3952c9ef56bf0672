import type { Image } from '#domain/bulk/undo.ts'
import type { ErrorCode } from '#kit/errors.ts'
import type { Permission } from '#kit/permissions.ts'
import type { Actor } from '../actors.ts'
import type { Ctx } from '../context.ts'

/** Context of bulk work: the unit of work of a user. */
export type UserCtx = Ctx & { readonly user: Actor }

/** Action on each record, as requested; `id` is the operation, absent in a preview. */
export type Act = { readonly action: string; readonly args: unknown; readonly id?: string; readonly total?: number }

/** Record with its change. */
export type Chosen<Subject, Change> = { readonly subject: Subject; readonly change: Change }

/** Changed record, before and after. */
export type Changed = { readonly id: number; readonly before: Image; readonly after: Image }

/** Change to undo: the record as it is, and the fields to restore. */
export type Return<Subject = unknown> = Changed & {
  readonly subject: Subject
  readonly fields: Readonly<Record<string, unknown>>
}

/** Lock mode of loading: read, locked, or locked regardless of visibility (a change may have hidden them). */
export type Lock = 'read' | 'lock' | 'lock any'

/**
 * Kind of records with bulk operations: how they are loaded, changed and restored. Everything works on a block of records at
 * once, in sets.
 */
export type BulkKind<Subject = unknown, Change = unknown> = {
  /** Name of the kind; stored with each operation, so it never changes. */
  readonly name: string
  /** Required permission; checked again before each block. */
  readonly can: Permission
  /** Error code of an id that does not exist, or that the person cannot see. */
  readonly missing: ErrorCode
  /** Error codes of violated database constraints, by the constraint's name. */
  readonly constraints: Readonly<Record<string, ErrorCode>>
  /** Fields that an undo skips if an automatic change happened to the record meanwhile. */
  readonly loose: readonly string[]
  /** Returns the records by id, in its order; locks are held until the transaction ends. */
  load(ctx: UserCtx, ids: readonly number[], lock: Lock): Promise<ReadonlyMap<number, Subject>>
  /** Decides per record: a change, null where nothing changes, or an error code. Throws what refuses all. */
  decide(
    ctx: UserCtx,
    act: Act,
    subjects: ReadonlyMap<number, Subject>,
  ): Promise<ReadonlyMap<number, Change | ErrorCode | null>>
  /** Writes the changes; nothing but tables, since a part that fails is done again one by one. */
  write(ctx: UserCtx, chosen: ReadonlyMap<number, Chosen<Subject, Change>>): Promise<void>
  /** Publishes the change; effects visible to customers are left to `finalize`. */
  publish(ctx: UserCtx, chosen: ReadonlyMap<number, Chosen<Subject, Change>>): Promise<void>
  /** Returns snapshots of the records for comparing and restoring; deleted records are missing. */
  images(ctx: Ctx, ids: readonly number[]): Promise<ReadonlyMap<number, Image>>
  /** Returns the records that cannot be restored, with the reason. */
  obstacles(ctx: UserCtx, returns: readonly Return<Subject>[]): Promise<ReadonlyMap<number, ErrorCode>>
  /** Writes them back; nothing but tables. */
  restore(ctx: UserCtx, returns: readonly Return<Subject>[]): Promise<void>
  /** Publishes the restoration; `authorId` is the user whose changes are undone. */
  publishReturn(ctx: UserCtx, returns: readonly Return<Subject>[], authorId: number | null): Promise<void>
  /** Runs the customer-visible effects, once nothing can be undone any more. */
  finalize(ctx: Ctx, act: Act, changed: readonly Changed[]): Promise<void>
}

let registered: ReadonlyMap<string, BulkKind> = new Map()

/** Registers the kinds (`server/features.ts` lists them). */
export function registerBulkKinds(kinds: readonly BulkKind[]): void {
  registered = new Map(kinds.map((kind) => [kind.name, kind]))
}

/** Returns a kind by its name. */
export function kindOf(name: string): BulkKind {
  const kind = registered.get(name)
  if (!kind) throw new Error(`no kind of bulk operation is called ${name}`)
  return kind
}
