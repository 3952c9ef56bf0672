import { testConfigs } from '#test/channels/register.ts'
import { screens as all } from '#web/features.tsx'

/** Screens of the built interface, without those of test channels and the one of a locked company (`billing.spec.ts`). */
export const screens = all.filter(
  ({ path, whenOverdue }) => whenOverdue !== 'only' && !testConfigs.some(({ id }) => path === `/configuracoes/${id}`),
)
