import { adapterOf, answerWithin } from '#features/ledger/server/ports/index.ts'
import { AppError, type ErrorCode, fail } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type ChannelQuestions, type GroupQuestions, isSendFailure, sendFailure } from '#providers/channels/port.ts'
import { type Actor, mayUseConnection } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { findConnection, type KnownConnection } from './queries.ts'

const ANSWER_MS = 65_000

/** Queries a channel about its groups; throws like a send. */
export async function askGroups<Q extends keyof GroupQuestions>(
  platform: Platform,
  question: Q,
  about: ChannelQuestions[Q]['about'] & { readonly tenantId: number; readonly connectionId: number },
): Promise<ChannelQuestions[Q]['answer']> {
  const adapter = await adapterOf(platform, about.tenantId, about.connectionId).catch((error: unknown) => {
    if (error instanceof AppError) throw sendFailure('unreachable', 'O canal não está conectado.')
    throw error
  })
  if (!adapter.ask) throw sendFailure('refused', 'Este canal não tem ferramentas de grupo.')
  return answerWithin(ANSWER_MS, adapter.ask(question, about))
}

/** Runs a call to the channel within a request; its failure becomes an error response. */
export async function answerFor<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (!isSendFailure(error)) throw error
    return fail('ERR_WAPP_NOT_INITIALIZED' satisfies ErrorCode)
  }
}

/** Returns a connection with group tools that the user may use. */
export async function requireConnection(
  ctx: (Pick<ReadCtx, 'settings'> & Pick<ReadCtx | Ctx, 'db'>) & { readonly user: Actor },
  id: number,
): Promise<KnownConnection> {
  const connection = await findConnection(ctx.db, id)
  if (!connection) return fail('ERR_NO_WAPP_FOUND')
  if (!mayUseConnection(ctx.user, ctx.settings, id)) fail('ERR_NO_PERMISSION')
  return capabilitiesOf(connection.type).groupTools ? connection : fail('ERR_CHANNEL_CANNOT')
}
