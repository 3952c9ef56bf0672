import type { StopCause } from '#domain/connections/causes.ts'
import { fail } from '#kit/errors.ts'
import { type ChannelAdapter, sendFailure } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/db.ts'
import type { JobRun } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'

/** Conversation, by its connection and key. */
export type ChannelConversation = { readonly connectionId: number; readonly conversationKey: string }

/** Sender of a conversation: the adapter of its connection, and the check of its lease. */
export type OutboxSender = JobRun & {
  readonly adapter: ChannelAdapter
  /** Checks the lease of a persistent connection: fails within the transaction if another process holds it. */
  readonly requireLease?: (db: Tx) => Promise<void>
  /** Whether waiting messages are retried now: a person requested it, or the channel is back. */
  readonly isUrgent?: boolean | undefined
  /** Time at which the adapter was created; later values may solve what its provider refused before. */
  readonly since?: Date
}

/** Port to the feature that owns connections. */
export type Channels = {
  /** Returns the adapter of a connection; never call it within a unit of work. 422 if there is none. */
  adapterOf(platform: Platform, tenantId: number, connectionId: number): Promise<ChannelAdapter>
  /** Forwards sending to the process that holds the connection; false if any process may send. */
  forwardSending(
    platform: Platform,
    tenantId: number,
    conversation: ChannelConversation,
    isUrgent: boolean,
  ): Promise<boolean>
  /**
   * Stops a connection whose provider refuses everything, until a person helps; idempotent. A connection changed after
   * `since` is left alone.
   */
  stopConnection(
    platform: Platform,
    tenantId: number,
    connectionId: number,
    cause: StopCause,
    since?: Date,
  ): Promise<void>
  /** Notifies administrators, once a day, that the provider delivers nothing until its bill is paid. */
  noteUnpaid(platform: Platform, tenantId: number, connectionId: number): Promise<void>
  /** Publishes the state of a connection after a change. */
  publishConnection(ctx: Ctx, connectionId: number): Promise<void>
}

let channels: Channels = {
  adapterOf: async () => fail('ERR_WAPP_NOT_INITIALIZED'),
  forwardSending: async () => false,
  stopConnection: async () => {},
  noteUnpaid: async () => {},
  publishConnection: async () => {},
}

/** Registers the owner of the connections. */
export const provideChannels = (owner: Channels): void => {
  channels = owner
}

export const adapterOf: Channels['adapterOf'] = (...of) => channels.adapterOf(...of)
export const forwardSending: Channels['forwardSending'] = (...of) => channels.forwardSending(...of)
export const stopConnection: Channels['stopConnection'] = (...of) => channels.stopConnection(...of)
export const noteUnpaid: Channels['noteUnpaid'] = (...of) => channels.noteUnpaid(...of)
export const publishConnection: Channels['publishConnection'] = (...of) => channels.publishConnection(...of)

/** Returns a channel's answer; fails with `unknown`, as a send does, after `ms`. */
export function answerWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(sendFailure('unknown', 'o canal não respondeu a tempo')), ms)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
