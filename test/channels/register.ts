import { channelAdapters } from '#providers/channels/adapters.ts'
import { channelConfigs } from '#providers/channels/configs.ts'
import { sampleAdapter } from './sample/adapter.ts'
import { sampleConfig } from './sample/config.ts'
import { streamAdapter } from './stream/adapter.ts'
import { streamConfig } from './stream/config.ts'
import { testAdapter } from './test/adapter.ts'
import { testConfig } from './test/config.ts'

// A channel is one line in each of two lists, here as in the product; once, however many files of tests share the lists.
for (const config of [testConfig, sampleConfig, streamConfig])
  if (!channelConfigs.some(({ id }) => id === config.id)) channelConfigs.push(config)
Object.assign(channelAdapters, { test: testAdapter, sample: sampleAdapter, stream: streamAdapter })
