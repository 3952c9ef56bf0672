import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import pt from 'zod/v4/locales/pt.js'
import { AppError, type ErrorCode, type ErrorDetails, errorCatalogue } from '#kit/errors.ts'
import type { Log } from '../log.ts'

z.config(pt())

/** Turns whatever went wrong into a catalogued error; what nobody foresaw is ERR_UNIDENTIFIED. */
export function toAppError(error: unknown, constraints: Readonly<Record<string, ErrorCode>>): AppError | null {
  if (error instanceof AppError) return error
  if (error instanceof z.ZodError) return new AppError('ERR_VALIDATION', fieldMessages(error))
  const { code, constraint, statusCode } = error as { code?: string; constraint?: string; statusCode?: number }
  if (constraint && constraints[constraint]) return new AppError(constraints[constraint])
  if (code === '23505') return new AppError('ERR_DUPLICATED')
  if (code === '23503')
    return new AppError('ERR_VALIDATION', {
      [constraint ?? 'registro']: 'O registro ligado não existe ou está em uso.',
    })
  if (statusCode === 413 || code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('ERR_FILE_TOO_LARGE')
  if (statusCode === 415) return new AppError('ERR_FILE_TYPE')
  if (statusCode && statusCode >= 400 && statusCode < 500) return new AppError('ERR_VALIDATION')
  return null
}

/** Answers `{ error, message, details, requestId }` (decision B6) and logs what nobody foresaw, by request id. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  constraints: Readonly<Record<string, ErrorCode>>,
  log: Log,
) {
  const known = toAppError(error, constraints)
  if (!known) log.error({ err: error, requestId: request.id, operation: request.routeOptions.url }, 'unforeseen error')
  const code: ErrorCode = known?.code ?? 'ERR_UNIDENTIFIED'
  const { status, text } = errorCatalogue[code]
  const details: ErrorDetails | undefined = known?.details
  if (status === 429 || status === 503) reply.header('retry-after', String(details?.['retryAfter'] ?? 5))
  const { ticket, ...rest } = details ?? {}
  return reply.status(status).send({
    error: code,
    message: text,
    requestId: request.id,
    ...(ticket === undefined ? {} : { ticket }),
    ...(Object.keys(rest).length === 0 ? {} : { details: rest }),
  })
}

/** One Portuguese sentence per field. */
export function fieldMessages(error: z.ZodError): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const issue of error.issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.') || 'pedido']
    for (const key of keys) messages[key] ??= issue.code === 'unrecognized_keys' ? 'Campo desconhecido.' : issue.message
  }
  return messages
}
