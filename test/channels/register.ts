import { channelAdapters } from '#providers/channels/adapters.ts'
import { channelConfigs } from '#providers/channels/configs.ts'
import { sampleAdapter } from './sample/adapter.ts'
import { sampleConfig } from './sample/config.ts'
import { streamAdapter } from './stream/adapter.ts'
import { streamConfig } from './stream/config.ts'
import { testAdapter } from './test/adapter.ts'
import { testConfig } from './test/config.ts'

// A channel is one line in each of two lists, here as in the product.
channelConfigs.push(testConfig, sampleConfig, streamConfig)
Object.assign(channelAdapters, { test: testAdapter, sample: sampleAdapter, stream: streamAdapter })
