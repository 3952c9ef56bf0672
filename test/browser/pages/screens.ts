import { testConfigs } from '#test/channels/register.ts'
import { screens as all } from '#web/features.tsx'

/** The screens of the built interface: of the channels that tests add it knows nothing. */
export const screens = all.filter(({ path }) => !testConfigs.some(({ id }) => path === `/configuracoes/${id}`))
