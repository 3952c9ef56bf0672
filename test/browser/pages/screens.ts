import { sampleConfig } from '#test/channels/sample/config.ts'
import { screens as all } from '#web/features.tsx'

/** The screens of the built interface: of the channels that tests add it knows nothing. */
export const screens = all.filter(({ path }) => path !== `/configuracoes/${sampleConfig.id}`)
