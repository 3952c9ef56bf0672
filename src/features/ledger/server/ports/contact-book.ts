import { present } from '#domain/present.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Sender as reported by the channel; a group is one contact. */
export type Sender = {
  channel: string
  identity: string
  name: string
  number: string | null
  email: string
  isGroup?: boolean
  /** Another address of the same person, as stated by the channel. */
  alias?: string
}

/** Contact with the data that conversations need. */
export type KnownContact = {
  id: number
  name: string
  number: string | null
  blocked: boolean
  /** Latest name on the channel; null or absent if not requested. */
  pushname?: string | null
}

/** Port to the feature that owns contacts. */
export type ContactBook = {
  /** Whether a user sees a contact: under wallet routing not one of another's wallet. */
  isSeen(ctx: Pick<ReadCtx, 'settings'> & { db: Queryable; user: Actor }, contactId: number): Promise<boolean>
  /** Returns the contacts of senders with known identities; keyed `channel|identity`. */
  find(db: Queryable, senders: readonly Sender[]): Promise<Map<string, KnownContact>>
  /** Returns the contact of a number (international digits) in any spelling; undefined if there is none. */
  ofNumber(db: Queryable, digits: string): Promise<{ readonly id: number; readonly name: string } | undefined>
  /** Returns the contacts of unknown senders, found by number or created; keyed `channel|identity`. */
  meet(ctx: Ctx, senders: readonly Sender[]): Promise<Map<string, KnownContact>>
  /** Records that addresses, or an address and a number, belong to one person; their contacts are merged soon. */
  learn(ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, sender: Sender): void
  /** Records a contact's new name on a channel; the contact is renamed soon if its name came from there. */
  called(ctx: Pick<Ctx, 'enqueue' | 'tenantId' | 'settings'>, contactId: number, pushname: string): void
  /** Stores the name or picture (a stored file; null: none) that a channel reports, and publishes it. */
  describe(
    ctx: Ctx,
    contactId: number,
    about: { readonly name?: string; readonly fileId?: string | null },
  ): Promise<void>
  /** Records that the pictures of these addresses have changed; they are fetched soon. */
  looksOtherwise(ctx: Ctx, addresses: readonly { readonly channel: string; readonly identity: string }[]): Promise<void>
  /** Records the time since when an address blocks us, or that it no longer does. */
  blocking(
    ctx: Ctx,
    about: { readonly channel: string; readonly identity: string; readonly blocksUs: boolean; readonly at: Date },
  ): Promise<void>
  /** Records a group's new address on its channel. */
  moved(ctx: Ctx, about: { readonly channel: string; readonly identity: string; readonly to: string }): Promise<void>
  /** Returns a contact's address on a channel; of several the one that they wrote from last. */
  identityOf(db: Queryable, contactId: number, channel: string): Promise<string | undefined>
  /**
   * Returns the channel identities of contacts, or (`mayBegin`: any number can be written to) those their numbers would
   * have, if unclaimed; contacts without either are missing.
   */
  addressesOf(
    db: Queryable,
    contactIds: readonly number[],
    on: { readonly channel: string; readonly mayBegin: boolean },
  ): Promise<Map<number, string>>
  /** Adds identities to contacts; false if one belongs to another contact. */
  claimAll(db: Tx, identities: readonly { contactId: number; channel: string; identity: string }[]): Promise<boolean>
  /** Adds an identity to a contact; false if it belongs to another one. */
  claim(db: Tx, contactId: number, channel: string, identity: string): Promise<boolean>
  /** Puts contacts at the end of a kanban stage (null: removes them from the panel); 400 if the stage does not exist. */
  setStage(ctx: Ctx, contactIds: readonly number[], to: { readonly kanban: number | null }): Promise<void>
  /** Restores contacts' places on the board. */
  restoreStages(ctx: Ctx, positions: ReadonlyMap<number, StagePosition>): Promise<void>
}

/** Position of a contact on the board: its stage and its sort key; both null without a stage. */
export type StagePosition = { readonly kanban: number | null; readonly order: string | null }

let registered: ContactBook | undefined

/** Registers the contact book (`server/features.ts`). */
export const registerContactBook = (book: ContactBook): void => {
  registered = book
}

/** Returns the registered contact book. */
export const contactBook = (): ContactBook => present(registered)
