import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Who wrote, as the channel tells it: the contact behind a channel's identity; a group is one contact. */
export type Sender = {
  channel: string
  identity: string
  name: string
  number: string | null
  email: string
  isGroup?: boolean
  /** Another address of theirs on the channel, which says so. */
  alias?: string
}

/** A contact as conversations need it. */
export type KnownContact = {
  id: number
  name: string
  number: string | null
  blocked: boolean
  /** How its channel called it last; null or left out where that is not asked for. */
  pushname?: string | null
}

/** Who knows contacts and by which identities channels know them: what conversations ask of the feature that owns them. */
export type ContactBook = {
  /** Whether somebody sees a contact: under wallet routing not one that is in another's wallet. */
  isSeen(ctx: Pick<ReadCtx, 'settings'> & { db: Queryable; user: Actor }, contactId: number): Promise<boolean>
  /** The contacts behind senders that are known by their identities; keyed `channel|identity`. */
  find(db: Queryable, senders: readonly Sender[]): Promise<Map<string, KnownContact>>
  /** The contact who has a number (international digits), however it is spelled; undefined for one that is nobody's. */
  ofNumber(db: Queryable, digits: string): Promise<{ readonly id: number } | undefined>
  /** The contacts behind senders whose identities nobody knows: found by their numbers, or made; keyed `channel|identity`. */
  meet(ctx: Ctx, senders: readonly Sender[]): Promise<Map<string, KnownContact>>
  /** A channel says that addresses, or an address and a number, are one person's: whom they lead to becomes one, soon after. */
  learn(ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, sender: Sender): void
  /** A channel calls a contact otherwise now: the name follows, soon after, where it came from there. */
  called(ctx: Pick<Ctx, 'enqueue' | 'tenantId' | 'settings'>, contactId: number, pushname: string): void
  /** Gives a contact the name or the picture (a stored file; null: none) that its channel tells, and tells of it. */
  describe(
    ctx: Ctx,
    contactId: number,
    about: { readonly name?: string; readonly fileId?: string | null },
  ): Promise<void>
  /** Channels say that whom they know by these addresses looks otherwise now: they are asked how, soon after. */
  looksOtherwise(ctx: Ctx, addresses: readonly { readonly channel: string; readonly identity: string }[]): Promise<void>
  /** Notes since when whoever is at an address lets us write no more (they blocked the bot), or that they do again. */
  blocking(
    ctx: Ctx,
    about: { readonly channel: string; readonly identity: string; readonly blocksUs: boolean; readonly at: Date },
  ): Promise<void>
  /** A group has another address on its channel from now on. */
  moved(ctx: Ctx, about: { readonly channel: string; readonly identity: string; readonly to: string }): Promise<void>
  /** How a channel knows a contact; of several addresses the one from which they wrote last. */
  identityOf(db: Queryable, contactId: number, channel: string): Promise<string | undefined>
  /**
   * How a channel knows contacts, or (`mayBegin`: whoever has a number can be written to) would know them by numbers that are
   * nobody else's there; those without either are missing.
   */
  addressesOf(
    db: Queryable,
    contactIds: readonly number[],
    on: { readonly channel: string; readonly mayBegin: boolean },
  ): Promise<Map<number, string>>
  /** Lets channels know contacts by identities; false when one of them is somebody else's. */
  claimAll(db: Tx, identities: readonly { contactId: number; channel: string; identity: string }[]): Promise<boolean>
  /** Lets a channel know a contact by an identity; false when it is somebody else's. */
  claim(db: Tx, contactId: number, channel: string, identity: string): Promise<boolean>
  /** Puts contacts into a stage of the kanban, behind all others in it (null: out of the panel); 400 where there is no such stage. */
  setStage(ctx: Ctx, contactIds: readonly number[], to: { readonly kanban: number | null }): Promise<void>
  /** Puts contacts back where they stood. */
  restoreStages(ctx: Ctx, positions: ReadonlyMap<number, StagePosition>): Promise<void>
}

/** Where a contact stands on the board: its stage and its key in it; both are null without a stage. */
export type StagePosition = { readonly kanban: number | null; readonly order: string | null }

let registered: ContactBook | undefined

/** Says who that is (`server/features.ts`). */
export const registerContactBook = (book: ContactBook): void => {
  registered = book
}

/** Whoever was registered. */
export const contactBook = (): ContactBook => registered!
