import { endTrials } from '#features/tenants/server/index.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { signup } from '../contract.ts'
import { errors } from '../errors.ts'
import { isSignupOpen, planRoutes } from './plans.ts'
import { signUp } from './sign-up.ts'

const TRIALS_EVERY_MS = 3600_000

const signupRoutes = implement(signup, { create: ({ platform }, { body, request }) => signUp(platform, request, body) })

/** Deactivates companies whose trial is over, and publishes it to their open screens. */
export async function closeTrials(platform: Platform): Promise<void> {
  const ended = await platform.db.asPlatform((db) => endTrials(db, platform.now()))
  for (const id of ended) platform.bus.stale(`settings ${id}`)
}

/** Server part of the feature `signup`: plans and signup. */
export const signupFeature: Feature = {
  name: 'signup',
  titles: { signup: 'Cadastro de empresas', plans: 'Planos' },
  errors,
  routes: [...planRoutes, ...signupRoutes],
  boot: async (platform) => ({ isSignupOpen: await isSignupOpen(platform) }),
  async start(platform) {
    if (!plays(platform.env, 'worker')) return async () => {}
    const work = () => closeTrials(platform).catch((err) => platform.log.warn({ err }, 'trials could not be closed'))
    await work()
    const timer = setInterval(work, TRIALS_EVERY_MS)
    return async () => clearInterval(timer)
  },
}
