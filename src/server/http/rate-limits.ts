import ipaddr from 'ipaddr.js'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { AppError, type ErrorCode } from '#kit/errors.ts'

/** How often something may be done: `points` per `seconds` (decision B22). */
export const limitRules = {
  login: { points: 5, seconds: 60 },
  loginAddress: { points: 30, seconds: 60 },
  secondFactor: { points: 10, seconds: 900 },
  reset: { points: 3, seconds: 900 },
  resetAddress: { points: 10, seconds: 900 },
  masterKey: { points: 5, seconds: 900 },
  signUp: { points: 5, seconds: 3600 },
  mailTest: { points: 10, seconds: 600 },
  api: { points: 600, seconds: 60 },
  refusals: { points: 10, seconds: 60 },
  widget: { points: 20, seconds: 60 },
  widgetOpen: { points: 1800, seconds: 60 },
  widgetSession: { points: 30, seconds: 60 },
} as const

/** Whose an address is, as far as limits go: whoever has one of IPv6 has 2⁶⁴ of them. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip instanceof ipaddr.IPv6
    ? ip.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')
    : ip.toString()
}

/** The counters of this process. */
export type RateLimits = ReturnType<typeof createRateLimits>

/** Makes the counters; switched off they let everything pass (load tests, benchmarks). */
export function createRateLimits(enabled: boolean) {
  const limiters = Object.fromEntries(
    Object.entries(limitRules).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
    ]),
  ) as Record<keyof typeof limitRules, RateLimiterMemory>
  return {
    /** Counts one use; beyond the limit it fails with the code and the seconds to wait. */
    async use(rule: keyof typeof limitRules, key: string, code: ErrorCode = 'ERR_RATE_LIMIT'): Promise<void> {
      if (!enabled) return
      await limiters[rule].consume(key).catch((left: { msBeforeNext?: number }) => {
        if (left.msBeforeNext === undefined) throw left
        throw new AppError(code, { retryAfter: Math.ceil(left.msBeforeNext / 1000) })
      })
    },
    /** Forgets what was counted, after a success. */
    forget: (rule: keyof typeof limitRules, key: string) => limiters[rule].delete(key),
  }
}
