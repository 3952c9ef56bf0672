import { channelAdapters } from '#providers/channels/adapters.ts'
import { type ChannelConfig, channelConfigs } from '#providers/channels/configs.ts'
import { echoAdapter } from './echo/adapter.ts'
import { echoConfig } from './echo/config.ts'
import { sampleAdapter } from './sample/adapter.ts'
import { sampleConfig } from './sample/config.ts'
import { streamAdapter } from './stream/adapter.ts'
import { streamConfig } from './stream/config.ts'
import { testAdapter } from './test/adapter.ts'
import { testConfig } from './test/config.ts'

// A channel is one line in each of two lists, here as in the product.
export const testConfigs: readonly ChannelConfig[] = [
  testConfig, //
  sampleConfig,
  streamConfig,
  echoConfig,
]
const testAdapters = {
  test: testAdapter,
  sample: sampleAdapter,
  stream: streamAdapter,
  echo: echoAdapter,
}

// Once, however many files of tests share the lists.
for (const config of testConfigs) if (!channelConfigs.some(({ id }) => id === config.id)) channelConfigs.push(config)
Object.assign(channelAdapters, testAdapters)
