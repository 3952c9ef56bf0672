import { pino } from 'pino'
import type { Env } from './env.ts'

/** The product's logger: ids only, never a phone, e-mail, message text or secret (decision B33). */
export const createLog = (env: Pick<Env, 'LOG_LEVEL'>) =>
  pino({ level: env.LOG_LEVEL, base: null, serializers: { err: pino.stdSerializers.err } })

/** What the platform logs with. */
export type Log = ReturnType<typeof createLog>
