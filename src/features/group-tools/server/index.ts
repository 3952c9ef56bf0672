import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { repeated } from '#server/repeated.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { greetJob, removeJob, takeBackJob, warnJob } from './enforce.ts'
import { lookJob } from './look.ts'
import { groupJobRoutes, groupRuleRoutes, groupToolRoutes } from './routes.ts'
import { recoverWork, workJob } from './work.ts'

export { groupRulesHook } from './enforce.ts'

/** Interval at which abandoned jobs are searched, and idle time after which a job counts as abandoned, in ms. */
const RECOVER_EVERY_MS = 30_000
const IDLE_MS = 120_000

/** Server part of the feature `group-tools`: bulk jobs and automatic rules for WhatsApp groups. */
export const groupToolsFeature: Feature = {
  name: 'group-tools',
  titles: { groupTools: 'Grupos', groupJobs: 'Tarefas de grupos', groupRules: 'Regras de grupos' },
  permissions,
  errors,
  routes: [...groupToolRoutes, ...groupJobRoutes, ...groupRuleRoutes],
  jobs: [workJob, lookJob, removeJob, takeBackJob, warnJob, greetJob],
  constraints: { group_rules_value: 'ERR_GROUP_RULE_EXISTS', group_rules_text: 'ERR_GROUP_RULE_EXISTS' },
  start(platform) {
    const { every, stop } = repeated(platform)
    if (plays(platform.env, 'worker')) every(RECOVER_EVERY_MS, () => recoverWork(platform, IDLE_MS))
    return async () => stop()
  },
}
