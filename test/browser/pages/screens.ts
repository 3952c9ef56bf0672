import { testConfigs } from '#test/channels/register.ts'
import { screens as all } from '#web/features.tsx'

/** Screens of the built interface, without those of test channels. */
export const screens = all.filter(({ path }) => !testConfigs.some(({ id }) => path === `/configuracoes/${id}`))
