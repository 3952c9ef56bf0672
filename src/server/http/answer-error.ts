import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { fieldIn, textFieldIn } from '#domain/keys.ts'
import { AppError, type ErrorCode, type ErrorDetails, errorCatalogue, fail } from '#kit/errors.ts'
import { isInfrastructure } from '../db/faults.ts'
import type { Log } from '../log.ts'
import { sanitizeForPostgres } from '../sanitize.ts'
import '#kit/fields.ts'

/** Parses a client's input; fails with 400 and a sentence per field. */
export function readInput<T extends z.ZodType>(schema: T, given: unknown): z.output<T> {
  const read = schema.safeParse(sanitizeForPostgres(given))
  return read.success ? read.data : fail('ERR_VALIDATION', fieldMessages(read.error))
}

/** Maps an error to a catalogued one; null if it is unexpected. */
export function toAppError(error: unknown, constraints: Readonly<Record<string, ErrorCode>>): AppError | null {
  if (error instanceof AppError) return error
  const [code, constraint] = [fieldIn(error, 'code'), textFieldIn(error, 'constraint')]
  const statusCode = Number(fieldIn(error, 'statusCode') ?? 500)
  if (constraint && constraints[constraint]) return new AppError(constraints[constraint])
  if (code === '23505') return new AppError('ERR_DUPLICATED')
  if (code === '23503')
    return new AppError('ERR_VALIDATION', { registro: 'O registro ligado não existe ou está em uso.' })
  if (isInfrastructure(error)) return new AppError('ERR_UNAVAILABLE', { retryAfter: 2 })
  const isOfFramework = (typeof code === 'string' && code.startsWith('FST_')) || error instanceof SyntaxError
  if (!isOfFramework || statusCode < 400 || statusCode >= 500) return null
  if (statusCode === 413) return new AppError('ERR_FILE_TOO_LARGE')
  if (statusCode === 415) return new AppError('ERR_FILE_TYPE')
  return new AppError('ERR_VALIDATION', { pedido: 'O pedido não pôde ser lido.' })
}

// Headers of the intended answer that do not apply to an error: a file's length, type and name, and its caching.
const HEADERS_OF_CONTENT = [
  'content-length',
  'content-type',
  'content-disposition',
  'content-encoding',
  'accept-ranges',
  'etag',
]

/** Sends `{ error, message, details, requestId }` (decision B6) and logs unexpected errors by request id. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  constraints: Readonly<Record<string, ErrorCode>>,
  log: Log,
) {
  const known = toAppError(error, constraints)
  const about = { err: error, requestId: request.id, operation: request.routeOptions.url }
  // The client sent a value that the database cannot read (SQLSTATE class 22); validation should have refused it.
  const isData = !known && /^22...$/.test(String(fieldIn(error, 'code')))
  if (isData) log.warn(about, 'a value that the database refuses')
  else if (isInfrastructure(error)) log.error(about, 'database, disk or line failed')
  else if (!known) log.error(about, 'unforeseen error')
  const code: ErrorCode = known?.code ?? (isData ? 'ERR_VALIDATION' : 'ERR_UNIDENTIFIED')
  const { status, text } = errorCatalogue[code]
  const details: ErrorDetails | undefined = known?.details
  for (const name of HEADERS_OF_CONTENT) reply.removeHeader(name)
  reply.header('cache-control', 'no-store')
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

/** Formats one Portuguese sentence per field. */
function fieldMessages(error: z.ZodError): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const issue of error.issues) {
    const keys =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key].join('.'))
        : [issue.path.join('.') || 'pedido']
    for (const key of keys) messages[key] ??= issue.code === 'unrecognized_keys' ? 'Campo desconhecido.' : issue.message
  }
  return messages
}
