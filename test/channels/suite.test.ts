import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { channelAdapters } from '#providers/channels/adapters.ts'
import { type ChannelConfig, channelConfigs, noCapabilities } from '#providers/channels/configs.ts'
import type { ChannelAdapter, MakeChannelAdapter } from '#providers/channels/port.ts'
import { withProduct } from '#test/server.ts'
import { sampleConfig } from './sample/config.ts'
import { openGateway } from './sample/contact.ts'
import { check, unproven } from './suite.ts'
import { worldOf } from './world.ts'

const channels = join(import.meta.dirname, '../../src/providers/channels')

type Flag = keyof ChannelConfig['capabilities']

/** An adapter that leaves out what one capability promises. */
const broken: { readonly [F in Flag]?: (adapter: ChannelAdapter) => Partial<ChannelAdapter> } = {
  maxTextLength: ({ send }) => ({ send: (message) => send({ ...message, body: message.body.slice(0, 100) }) }),
  files: ({ send }) => ({ send: (message) => send({ ...message, file: null }) }),
  list: ({ send }) => ({ send: (message) => send({ ...message, data: null }) }),
  react: ({ act }) => ({ act: async (action) => (action.type === 'react' ? undefined : act!(action)) }),
  editMinutes: ({ act }) => ({ act: async (action) => (action.type === 'edit' ? undefined : act!(action)) }),
  revokeHours: ({ act }) => ({ act: async (action) => (action.type === 'revoke' ? undefined : act!(action)) }),
  receipts: ({ receive }) => ({
    receive: async (request) => {
      const result = await receive!(request)
      if (!result.isGenuine) return result
      return { ...result, events: result.events.filter(({ event }) => event.type !== 'receipt') }
    },
  }),
  numberCheck: () => ({ ask: async () => null as never }),
  picture: () => ({ ask: async () => null as never }),
  history: () => ({ ask: async () => [] as never }),
  templates: () => ({ ask: async () => [] as never }),
  idempotentSending: ({ send }) => ({ send: (message) => send({ ...message, messageId: randomUUID() }) }),
}

/** Claims that the product keeps by itself, whatever the adapter does. */
const byTheProduct: readonly Flag[] = ['begins', 'windowHours']

describe('the suite of channels', () => {
  const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
  const whole = channelAdapters['sample']!
  let left: Flag | null = null
  let world: Awaited<ReturnType<typeof worldOf>>
  beforeAll(async () => {
    const folder = `${import.meta.dirname}/sample`
    const make: MakeChannelAdapter = (values, tools) => {
      const adapter = whole(values, tools)
      const now = () => ({ ...adapter, ...(left && broken[left]?.(adapter)) })
      return {
        ...adapter,
        send: (message) => now().send(message),
        act: (action) => now().act!(action),
        ask: (question, about) => now().ask!(question, about),
        receive: (request) => now().receive!(request),
      }
    }
    channelAdapters['sample'] = make
    world = await worldOf(product(), sampleConfig, folder, openGateway)
  })
  afterAll(async () => {
    channelAdapters['sample'] = whole
    await world.end.close()
  })

  const claimed = (Object.keys(noCapabilities) as Flag[]).filter(
    (flag) => JSON.stringify(sampleConfig.capabilities[flag]) !== JSON.stringify(noCapabilities[flag]),
  )

  test.each(claimed.filter((flag) => !byTheProduct.includes(flag)))(
    'notices an adapter that does not do it: %s',
    async (flag) => {
      expect(broken[flag]).toBeDefined()
      left = flag
      await expect(check({ ...world, patienceMs: 1500 }, flag)).rejects.toThrow()
      left = null
    },
  )

  test('a claim without a test is found; every channel of the product passes through the suite', () => {
    expect(unproven({ ...sampleConfig, capabilities: { ...noCapabilities, ...({ flies: true } as object) } })).toEqual([
      'flies',
    ])
    const folders = readdirSync(channels, { withFileTypes: true }).filter((one) => one.isDirectory())
    expect(folders.length).toBeGreaterThan(1)
    for (const { name } of folders) {
      expect(readFileSync(join(channels, name, 'adapter.test.ts'), 'utf8')).toContain('channelSuite(')
      expect(unproven(channelConfigs.find(({ id }) => id === name)!)).toEqual([])
    }
  })
})
