import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { tidy } from './tidy.ts'

const FIRST_MS = 10 * 60_000
const EVERY_MS = 24 * 3600_000

/** Server part of the feature `upkeep`: daily deletion of expired data. */
export const upkeepFeature: Feature = {
  name: 'upkeep',
  start: (platform) => {
    if (!plays(platform.env, 'worker')) return async () => {}
    const stopping = new AbortController()
    let round = Promise.resolve()
    const begin = () => {
      round = round
        .then(() => tidy(platform, { signal: stopping.signal }))
        .catch((err: unknown) => platform.log.error({ err }, 'upkeep failed'))
    }
    const first = setTimeout(begin, FIRST_MS).unref()
    const timer = setInterval(begin, EVERY_MS).unref()
    return async () => {
      clearTimeout(first)
      clearInterval(timer)
      stopping.abort()
      await round
    }
  },
}
