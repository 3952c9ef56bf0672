import type { StopCause } from '#domain/connections/causes.ts'
import { fail } from '#kit/errors.ts'
import { type ChannelAdapter, sendFailure } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/db.ts'
import type { JobRun } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'

/** A conversation as channels know it. */
export type ChannelConversation = { readonly connectionId: number; readonly conversationKey: string }

/** Who sends: the connection as it is spoken to, and whether the right to it is still this process's. */
export type OutboxSender = JobRun & {
  readonly adapter: ChannelAdapter
  /** Of a connection that one process keeps open: fails within the transaction when it is another's by now. */
  readonly requireLease?: (db: Tx) => Promise<void>
  /** What waits for another try goes now: somebody asked for it, or the channel is there again. */
  readonly isUrgent?: boolean | undefined
  /** When the adapter was taken: what its provider refused by then, later values may mend. */
  readonly since?: Date
}

/** What conversations ask of whoever owns the connections. */
export type Channels = {
  /** How a connection is spoken to; never asked within a unit of work. Fails with 422 where nobody knows. */
  adapterOf(platform: Platform, tenantId: number, connectionId: number): Promise<ChannelAdapter>
  /** Leaves the sending to the process that keeps the connection open; false where any process may send. */
  forwardSending(
    platform: Platform,
    tenantId: number,
    conversation: ChannelConversation,
    isUrgent: boolean,
  ): Promise<boolean>
  /**
   * Stops a connection by which its provider lets nothing leave any more, until a person helps; once is enough. One that was
   * changed after `since` is left as it is: the refusal was of what stood there before.
   */
  stopConnection(
    platform: Platform,
    tenantId: number,
    connectionId: number,
    cause: StopCause,
    since?: Date,
  ): Promise<void>
  /** Tells administrators, once a day, that by a connection nothing is delivered before its provider is paid. */
  noteUnpaid(platform: Platform, tenantId: number, connectionId: number): Promise<void>
  /** Tells how a connection stands, of which something was changed here. */
  publishConnection(ctx: Ctx, connectionId: number): Promise<void>
}

let channels: Channels = {
  adapterOf: async () => fail('ERR_WAPP_NOT_INITIALIZED'),
  forwardSending: async () => false,
  stopConnection: async () => {},
  noteUnpaid: async () => {},
  publishConnection: async () => {},
}

/** Registers who owns the connections. */
export const provideChannels = (owner: Channels): void => {
  channels = owner
}

export const adapterOf: Channels['adapterOf'] = (...of) => channels.adapterOf(...of)
export const forwardSending: Channels['forwardSending'] = (...of) => channels.forwardSending(...of)
export const stopConnection: Channels['stopConnection'] = (...of) => channels.stopConnection(...of)
export const noteUnpaid: Channels['noteUnpaid'] = (...of) => channels.noteUnpaid(...of)
export const publishConnection: Channels['publishConnection'] = (...of) => channels.publishConnection(...of)

/** What a channel answers; fails with `unknown`, as a send does, when it takes longer than `ms`. */
export function answerWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(sendFailure('unknown', 'o canal não respondeu a tempo')), ms)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
