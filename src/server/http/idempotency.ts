import { createHash } from 'node:crypto'
import { fail } from '#kit/errors.ts'
import type { Ctx } from '../context.ts'
import { findIdempotent, saveIdempotent } from './queries.ts'

/**
 * Answers a repeated write with the first answer (decision B7): the key is claimed in the write's own transaction, so
 * that two at once cannot both run, and a write that failed leaves no key behind.
 */
export async function once<T>(
  ctx: Ctx & { user: { id: number } },
  key: string | undefined,
  operation: string,
  input: { params: unknown; body: unknown },
  work: () => Promise<T>,
): Promise<T> {
  if (!key) return work()
  if (key.length > 200) fail('ERR_VALIDATION', { 'Idempotency-Key': 'Use no máximo 200 caracteres.' })
  // The hash includes the parameters: the same key for another record is another request.
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([input.params ?? null, input.body ?? null]))
    .digest('hex')
  const earlier = await findIdempotent(ctx.db, ctx.user.id, key, operation, bodyHash)
  if (earlier) {
    if (earlier.operation !== operation || earlier.body_hash !== bodyHash) fail('ERR_IDEMPOTENCY_MISMATCH')
    return (earlier.answer as { value: T }).value
  }
  const value = await work()
  await saveIdempotent(ctx.db, ctx.user.id, key, value)
  return value
}
